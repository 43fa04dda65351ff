// Tests docs/spec/query-language.md 5.1.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseExpand, parseFilter, parseOrderBy, parseSelect, QueryError } from '@vcds/odata-query';
import { describeWithData } from '@vcds/test-kit';
import { CASE_FILES, type Case, caseKey, readCases, readInputs } from './conformance/cases.ts';
import { outcomeOf, parsedLength, positionIn } from './conformance/outcome.ts';

const LIST = new URL('./conformance/accepted.json', import.meta.url);
const ACCEPTED: ReadonlyMap<string, string> = new Map(
  Object.entries(JSON.parse(readFileSync(LIST, 'utf8'))),
);

/** Cases that OASIS calls invalid and we accept, by parser and text, with the reason. */
const ACCEPTED_THOUGH_INVALID: ReadonlyMap<string, string> = new Map([
  ['value tRUe', 'the rule booleanValue is for JSON; in a URL OData takes it in any case'],
  ['value 0', 'no boolean, but a number: the rule asks for a boolean'],
  ['value 1', 'no boolean, but a number: the rule asks for a boolean'],
]);

/** Filters in which we find the fault before the place OASIS gives, with the reason. */
const REJECTED_EARLIER: ReadonlyMap<string, string> = new Map([
  ['Products/all()', 'the path is rejected at its slash, before the lambda lacks its body'],
  ['FirstName in (FirstName,LastName)', 'a list holds values, so its first field is rejected'],
  ["EmailAddresses eq ('Miller','Smith')", 'eq takes no parenthesis, so it is rejected there'],
]);

const describeCase = (one: Case): string => `${one.source} ${one.name}: ${one.text}`;

describeWithData(
  "other parsers' cases",
  (folder) => {
    const cases = readCases(folder);
    const filters = cases.filter(({ kind }) => kind === 'filter');

    test('are there in full', () => {
      expect(filters.length).toBeGreaterThan(1_000);
      expect(cases.length).toBeGreaterThan(1_600);
      expect(cases.filter(({ failAt }) => failAt !== undefined).length).toBeGreaterThan(70);
    });

    test('are accepted with the listed tree, or rejected with a position in the text', () => {
      for (const one of cases) {
        const outcome = outcomeOf(one);
        const found = 'tree' in outcome ? `${one.kind} ${outcome.tree}` : 'rejected';
        expect(`${describeCase(one)} -> ${found}`).toBe(
          `${describeCase(one)} -> ${ACCEPTED.get(caseKey(one)) ?? 'rejected'}`,
        );
        if ('tree' in outcome) continue;
        expect(Number.isInteger(outcome.error.position)).toBe(true);
        expect(outcome.error.position).toBeGreaterThanOrEqual(0);
        expect(outcome.error.position).toBeLessThanOrEqual(parsedLength(one));
      }
    });

    test('are all that the list of accepted ones names', () => {
      const keys = new Set(cases.map(caseKey));
      expect([...ACCEPTED.keys()].filter((key) => !keys.has(key))).toEqual([]);
    });

    test('are not accepted where their source calls them invalid, but for reasons', () => {
      const surprising = cases
        .filter(({ failAt }) => failAt !== undefined)
        .filter((one) => 'tree' in outcomeOf(one))
        .map(({ kind, text }) => `${kind} ${text}`);
      expect(new Set(surprising)).toEqual(new Set(ACCEPTED_THOUGH_INVALID.keys()));
    });

    test('are rejected as filters where OASIS says they go wrong, or earlier for reasons', () => {
      let compared = 0;
      const earlier = new Set<string>();
      for (const one of filters) {
        if (one.failAt === undefined) continue;
        const outcome = outcomeOf(one);
        if ('tree' in outcome) throw new Error(`${describeCase(one)} is accepted`);
        const position = positionIn(one, outcome.error);
        compared++;
        if (position === one.failAt) continue;
        expect(position).toBeLessThan(one.failAt);
        earlier.add(one.text);
      }
      expect(compared).toBeGreaterThanOrEqual(15);
      expect(earlier).toEqual(new Set(REJECTED_EARLIER.keys()));
    });

    test('of every other rule bring no parser to anything but an answer or an error', () => {
      const inputs = readInputs(folder);
      expect(inputs.length).toBeGreaterThan(1_000);
      for (const text of inputs) {
        for (const parse of [parseFilter, parseOrderBy, parseSelect, parseExpand]) {
          try {
            parse(text);
          } catch (error) {
            if (!(error instanceof QueryError)) throw error;
            expect(error.position).toBeGreaterThanOrEqual(0);
            expect(error.position).toBeLessThanOrEqual(text.length);
          }
        }
      }
    });
  },
  CASE_FILES,
);
