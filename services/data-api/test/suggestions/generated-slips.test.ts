import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import fc from 'fast-check';
import { errorOf, type Query } from '../support/api.ts';
import { COLLECTIONS, pathOf } from '../support/collections.ts';
import { openRepairApi, repaired, send } from './support.ts';

/** Errors of one call, corrected one after the other. */
const REPAIRS_MAX = 5;
const RUNS = 400;

const api = await closedAfterAll(openRepairApi());

const VALUES = [
  'New York',
  'today',
  'yes',
  '1_000_000',
  '5M',
  '$1,000',
  '2012/9/3',
  '2010',
  '"Oslo"',
  "'O'Neil'",
  "'Series A'",
  "'active'",
  "'vc'",
  'Seed',
  "'acme*'",
  '(a, b)',
  '["a","b"]',
  'null',
  'None',
  '{5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11}',
  "'x'",
  '12',
];
const OPERATORS = ['eq', 'ne', 'ge', 'lt', 'like', 'in', '=', '>=', 'contains', 'equals', '=='];

/** A name with a typing error, or without. */
const mistyped = (name: string) =>
  fc.tuple(fc.nat(name.length), fc.nat(4)).map(([at, kind]) => {
    const [before, after] = [name.slice(0, at), name.slice(at)];
    return [
      name,
      name.toLowerCase(),
      `${before}${after.slice(1)}`,
      `${before}e${after}`,
      name.replace(/(?<=[a-z])(?=[A-Z])/g, '_'),
    ][kind] as string;
  });

const slip = fc.constantFrom(...COLLECTIONS).chain((collection) => {
  const field = fc.constantFrom(...collection.resource.fields.keys()).chain(mistyped);
  const condition = fc
    .tuple(field, fc.constantFrom(...OPERATORS), fc.constantFrom(...VALUES))
    .map((parts) => parts.join(' '));
  const query: fc.Arbitrary<Query> = fc.oneof(
    condition.map(($filter) => ({ $filter })),
    fc.tuple(condition, condition).map((both) => ({ $filter: both.join(' and ') })),
    fc.tuple(field, fc.constantFrom(...VALUES)).map(([name, value]) => ({ [name]: value })),
    field.map((name) => ({ $orderby: `${name} desc` })),
    field.map((name) => ({ sort: `-${name}` })),
    field.map((name) => ({ $select: `Id,${name}` })),
    fc.constantFrom('limit', 'page', 'offset', 'Limit').map((name) => ({ [name]: '3' })),
  );
  return query.map((each): [string, Query] => [pathOf(collection), each]);
});

const plain = (text: unknown): string => String(text).replace(/^'|'$/g, '').trim();
const faultOf = (error: Record<string, unknown>) => plain(error.value ?? error.field);

test('every suggestion is accepted in place of the invalid text', async () => {
  let suggested = 0;
  await fc.assert(
    fc.asyncProperty(slip, async (first) => {
      let call = first;
      const seen: unknown[] = [call];
      let reply = await send(api, call);
      for (let repairs = 0; repairs < REPAIRS_MAX && reply.status !== 200; repairs++) {
        const before = errorOf(reply);
        if (before.suggestion === undefined) return;
        suggested++;
        call = repaired(call, reply);
        seen.push(before.suggestion, call);
        reply = await send(api, call);
        if (reply.status === 200) return;
        const after = errorOf(reply);
        // The next error is another one: not at the suggested text.
        expect([seen, after.position, faultOf(after)]).not.toEqual([
          seen,
          before.position,
          plain(before.suggestion),
        ]);
      }
    }),
    { numRuns: RUNS },
  );
  expect(suggested).toBeGreaterThan(RUNS / 4);
});
