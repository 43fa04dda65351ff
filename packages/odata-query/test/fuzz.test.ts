// Tests docs/spec/query-language.md 5.1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  bindExpand,
  bindFilter,
  bindOrderBy,
  bindSelect,
  parseExpand,
  parseFilter,
  parseOrderBy,
  parseSelect,
  printFilter,
  QueryError,
} from '@vcds/odata-query';
import { describeWithData, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { filterNodes, filtersOn } from './arbitraries.ts';
import { withoutPositions } from './error-of.ts';
import { FIELDS, TABLE } from './example-table.ts';

const READERS: readonly ((text: string) => unknown)[] = [
  (text) => bindFilter(parseFilter(text), TABLE),
  (text) => bindOrderBy(parseOrderBy(text), TABLE),
  (text) => bindSelect(parseSelect(text), TABLE),
  (text) => bindExpand(parseExpand(text), ['Tags', 'Funds']),
];

/** Runs every parser and binder on a text: an answer, or an error with a position in the text. */
function parsesOrRejects(text: string): void {
  for (const read of READERS) {
    try {
      read(text);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const fault = faultOf(error, text);
      if (fault !== undefined) throw new Error(`${fault}: ${error.message}`, { cause: error });
    }
  }
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** The defects of an error; plain comparisons, as there are hundreds of thousands of them. */
function faultOf(error: QueryError, text: string): string | undefined {
  const { position, message, allowed = [], suggestion = '', value = '', field = '' } = error;
  if (position === undefined || !Number.isInteger(position)) return 'no position';
  if (position < 0 || position > text.length) return `position ${position} outside the text`;
  if (message.length > 600 || value.length > 700 || field.length > 700) return 'too much repeated';
  if (INVISIBLE.test(message + value + field)) return 'invisible characters repeated';
  if (allowed.length > 50) return 'too much allowed';
  if (suggestion.length > 200) return 'suggestion too long';
  return undefined;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

describeWithData(
  'the Big List of Naughty Strings',
  (folder) => {
    const file = join(folder, 'robustness/blns/blns.json');
    const naughty: readonly string[] = JSON.parse(readFileSync(file, 'utf8'));

    test('is there', () => {
      expect(naughty.length).toBeGreaterThan(400);
    });

    test('each is rejected as a filter or a list, with a position', () => {
      for (const text of naughty) parsesOrRejects(text);
    });

    test('each comes through unharmed as a text in quotes', () => {
      for (const text of naughty) {
        const node = parseFilter(`Name eq ${quoted(text)}`);
        expect(node).toMatchObject({ kind: 'compare', value: { type: 'string', text } });
        expect(withoutPositions(parseFilter(printFilter(node)))).toEqual(withoutPositions(node));
        const list = parseFilter(`Tag in ('a',${quoted(text)},'b')`);
        expect(bindFilter(list, TABLE)).toMatchObject({
          values: [...new Set(['a', text, 'b'])],
        });
      }
    });

    test('each is rejected as a field name, an operator, a bare value and a pattern, with a position', () => {
      for (const text of naughty) {
        parsesOrRejects(`${text} eq 'x'`);
        parsesOrRejects(`Name ${text} 'x'`);
        parsesOrRejects(`Name eq ${text}`);
        parsesOrRejects(`Founded in (1,${text})`);
        parsesOrRejects(`Name like ${quoted(text)}`);
        parsesOrRejects(`Keywords eq ${quoted(text)}`);
        parsesOrRejects(`LastFundingStage eq ${quoted(text)}`);
        parsesOrRejects(`Date ge ${quoted(text)}`);
        parsesOrRejects(`Name,${text} desc`);
      }
    });
  },
  ['robustness/blns/blns.json'],
);

describe('whatever is asked', () => {
  const alphabet = fc.constantFrom(
    ...["'", '(', ')', ',', ' ', '.', '-', '+', ':', '%', '\\', '/', '=', '0', '7', 'T', 'Z', '\0'],
    ...['Name', 'Founded', 'Tag', 'eq', 'in', 'notin', 'like', 'and', 'or', 'not', 'null', 'desc'],
    ...['é', '\u{1F600}', '\uD800', '\u00A0', '2012-02-29', '5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11'],
  );

  test('any text is answered or rejected with a position in it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), parsesOrRejects), runs(500));
  });

  test('any string of tokens is answered or rejected with a position in it', () => {
    fc.assert(fc.property(fc.string({ unit: alphabet, maxLength: 40 }), parsesOrRejects), {
      ...runs(1_000),
    });
  });

  test('a valid filter with a piece cut out, doubled or replaced is answered or rejected', () => {
    const valid = fc.oneof(filtersOn(FIELDS), filterNodes).map(printFilter);
    fc.assert(
      fc.property(
        valid,
        fc.nat(),
        fc.nat(12),
        fc.string({ unit: alphabet, maxLength: 3 }),
        (text, place, length, piece) => {
          const start = place % (text.length + 1);
          const [before, cut, after] = [
            text.slice(0, start),
            text.slice(start, start + length),
            text.slice(start + length),
          ];
          parsesOrRejects(before + after);
          parsesOrRejects(before + piece + after);
          parsesOrRejects(before + cut + cut + after);
        },
      ),
      runs(500),
    );
  });

  test('binding any parsed filter gives an answer or an error, and typed filters an answer', () => {
    fc.assert(
      fc.property(filterNodes, (node) => {
        try {
          bindFilter(node, TABLE);
        } catch (error) {
          if (!(error instanceof QueryError)) throw error;
        }
      }),
      runs(300),
    );
    fc.assert(
      fc.property(filtersOn(FIELDS), (node) => {
        expect(Object.isFrozen(bindFilter(node, TABLE))).toBe(true);
      }),
    );
  });
});
