import { expect, test } from '@jest/globals';
import { runs } from '@vcds/test-kit';
import { INSTANTS, instantParts } from '@vcds/venture-model';
import fc from 'fast-check';
import { conditionOf } from '../../src/collections/count-condition.ts';
import {
  comparedInstant,
  listedInstants,
  millisecondsOf,
} from '../../src/collections/instant-condition.ts';
import { resources } from '../../src/resources/index.ts';
import { countPlanOf } from '../categories/support/count-filters.ts';

type Condition = NonNullable<ReturnType<typeof comparedInstant>>;

const [instant] = INSTANTS;
if (instant === undefined) throw new TypeError('There is no instant.');

/** Whether a record with this instant meets a condition. */
function meets(condition: Condition, milliseconds: number): boolean {
  const numbers = instantParts(milliseconds);
  const numberOf = (dimension: string) =>
    numbers[instant?.parts.findIndex(({ id }) => id === dimension) ?? -1] ?? Number.NaN;
  switch (condition.kind) {
    case 'and':
      return condition.of.every((each) => meets(each, milliseconds));
    case 'or':
      return condition.of.some((each) => meets(each, milliseconds));
    case 'not':
      return !meets(condition.of, milliseconds);
    case 'values':
      return condition.values.includes(numberOf(condition.dimension));
    case 'range': {
      const number = numberOf(condition.dimension);
      return number >= (condition.least ?? number) && number <= (condition.most ?? number);
    }
    case 'any':
      return true;
  }
}

/** As `$filter` has it: with up to six decimals of a second. */
const textOf = (microseconds: number) => {
  const text = new Date(Math.floor(microseconds / 1_000)).toISOString().slice(0, -1);
  const rest = String(((microseconds % 1_000) + 1_000) % 1_000).padStart(3, '0');
  return `${text}${rest}`.replace(/0+$/, '').replace(/\.$/, '').concat('Z');
};

const COMPARE = {
  eq: (a: number, b: number) => a === b,
  ne: (a: number, b: number) => a !== b,
  gt: (a: number, b: number) => a > b,
  ge: (a: number, b: number) => a >= b,
  lt: (a: number, b: number) => a < b,
  le: (a: number, b: number) => a <= b,
} as const;
const OPERATORS = Object.keys(COMPARE) as (keyof typeof COMPARE)[];

const HOUR_MS = 3_600_000;
/** Instants near the limits of hours and seconds, before and after 1970. */
const milliseconds = fc
  .tuple(fc.constantFrom(-HOUR_MS, 0, 480_000 * HOUR_MS), fc.integer({ min: -2_001, max: 2_001 }))
  .map(([hour, rest]) => hour + rest);

test('the parts of an instant meet a condition if the instant meets the comparison', () => {
  fc.assert(
    fc.property(
      ...[milliseconds, milliseconds, fc.integer({ min: 0, max: 999 })],
      fc.constantFrom(...OPERATORS),
      (of, value, rest, operator) => {
        // Half of the values have no microseconds.
        const microseconds = value * 1_000 + (rest % 2 === 0 ? 0 : rest);
        const condition = comparedInstant(instant, operator, textOf(microseconds));
        if (condition === undefined) throw new TypeError('There is no condition.');
        expect(meets(condition, of)).toBe(COMPARE[operator](of * 1_000, microseconds));
      },
    ),
    runs(900),
  );
});

test.each([
  ['eq', false],
  ['ne', true],
] as const)('%s null is the same for all records, because all have the instant', (operator, is) => {
  const condition = comparedInstant(instant, operator, null);
  expect(condition && meets(condition, 0)).toBe(is);
});

test('instants that have no parts are left to the database', () => {
  expect(comparedInstant(instant, 'gt', null)).toBeUndefined();
  expect(comparedInstant(instant, 'ge', 'infinity')).toBeUndefined();
  expect(listedInstants(instant, ['2020-01-01T00:00:00Z', 'infinity'])).toBeUndefined();
});

test('a list has the records of each of its instants', () => {
  const seconds = [1, 3, 4];
  const listed = listedInstants(
    instant,
    seconds.map((second) => textOf(second * 1_000_000)),
  );
  const met = [0, 1, 2, 3, 4].filter((second) => listed && meets(listed, second * 1_000));
  expect(met).toEqual(seconds);
});

test('a filter with the parts of too many instants is left to the database', () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, second) => textOf(second * 1_000_000)).join(',');
  const isIndexed = (filter: string) =>
    conditionOf(countPlanOf(resources.startup, filter)) !== undefined;
  expect(isIndexed(`CreatedTimeStamp in (${list(66)})`)).toBe(true);
  expect(isIndexed(`CreatedTimeStamp in (${list(67)})`)).toBe(false);
  const bounds = (count: number) =>
    Array.from({ length: count }, (_, second) => `UpdatedTimeStamp gt ${textOf(second * 1e6)}`);
  expect(isIndexed(bounds(40).join(' or '))).toBe(true);
  expect(isIndexed(bounds(41).join(' or '))).toBe(false);
});

test('the instant of a cursor is read as PostgreSQL writes it', () => {
  expect(millisecondsOf('2015-05-05 10:20:30.123+00')).toBe(Date.UTC(2015, 4, 5, 10, 20, 30, 123));
});
