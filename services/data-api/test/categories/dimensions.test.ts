import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import {
  DIMENSION_IDS,
  DIMENSIONS,
  dimensionOf,
  ENTITIES,
  ENTITY_IDS,
  entityOf,
} from '@vcds/venture-model';
import { storeClosedValues } from '../../src/background/index-facets/closed-codes.ts';
import { foldLabel } from '../../src/categories/execute.ts';
import { planNarrowing } from '../../src/narrowing/plan.ts';
import { ValueResolver } from '../../src/narrowing/resolve.ts';
import { resources } from '../../src/resources/index.ts';
import { openCategoryApi } from './support/category-api.ts';
import { openDatabase } from './support/engines.ts';

/** The table of docs/spec/categories.md 8.2. */
const SPECIFIED = [
  ['industry', 'open', ['startups', 'funds'], 'Tag'],
  ['country', 'open', ['startups', 'funds'], 'Country'],
  ['region', 'open', ['startups', 'funds'], 'Region'],
  ['city', 'open', ['startups', 'funds'], 'City'],
  ['stage', 'closed', ['startups'], 'LastFundingStage'],
  ['next_stage', 'closed', ['startups'], 'NextFundingStage'],
  ['investment_stage', 'closed', ['funds'], 'InvestmentStage'],
  ['investor_type', 'closed', ['funds'], 'InvestmentType'],
  ['team_size', 'closed', ['startups', 'funds'], 'MembersCountBucket'],
  ['operating_status', 'closed', ['startups', 'funds'], 'OperatingStatus'],
  ['exit_status', 'closed', ['startups'], 'Status'],
  ['founded_year', 'bucketed', ['startups', 'funds'], 'Founded'],
  ['fund_group', 'open', ['funds'], 'Group.Name'],
  ['round_series', 'open', ['rounds'], 'Series'],
  ['round_stage', 'closed', ['rounds'], 'Stage'],
  ['round_year', 'bucketed', ['rounds'], 'Year'],
];

test('the dimensions are those of the specification', () => {
  expect(
    DIMENSIONS.map(({ id, kind, entities, filterField }) => [id, kind, entities, filterField]),
  ).toEqual(SPECIFIED);
  expect(DIMENSION_IDS).toHaveLength(16);
  // Stored codes refer to the numbers, so they never change.
  expect(DIMENSIONS.map(({ number }) => number)).toEqual([
    ...Array.from({ length: 14 }, (_, i) => i + 1),
    ...[16, 15],
  ]);
});

test('exactly the closed ones list their values', () => {
  for (const { kind, closed } of DIMENSIONS) expect(closed !== undefined).toBe(kind === 'closed');
});

test('the filter field of a dimension is a filterable field of each of its entities', () => {
  const resourceOf = {
    startups: resources.startup,
    funds: resources.fund,
    rounds: resources.fundingRound,
  };
  for (const { id, entities, filterField, closed } of DIMENSIONS) {
    for (const entity of entities) {
      const field = resourceOf[entity].fields.get(filterField);
      expect([id, entity, field?.filterable]).toEqual([id, entity, true]);
      expect([id, entity, field?.closed]).toEqual([id, entity, closed]);
    }
  }
});

test('names of the prototype are neither dimensions nor entities', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
    expect(dimensionOf(name)).toBeUndefined();
    expect(entityOf(name)).toBeUndefined();
  }
  expect(Object.getPrototypeOf(ENTITIES)).toBeNull();
});

const api = await closedAfterAll(openCategoryApi());
const database = await closedAfterAll(openDatabase(api.url));

describe('in the database', () => {
  test('every reading of every entity is valid SQL of the declared type', async () => {
    for (const { readings, sqlType } of DIMENSIONS) {
      for (const entity of ENTITY_IDS) {
        const { through, sql, many } = readings[entity];
        const from =
          through === undefined ? `FROM ${ENTITIES[entity].table} AS r` : through.from('r');
        const value = sql(through === undefined ? 'r' : 'related');
        const outer = through === undefined ? '' : `FROM ${ENTITIES[entity].table} AS r`;
        const type = many ? `${sqlType}[]` : sqlType;
        await api.sql.query(
          through === undefined
            ? `SELECT ${value} = NULL::${type} ${from}`
            : `SELECT (SELECT count(${value} = NULL::${type}) ${from}) ${outer}`,
        );
      }
    }
  });

  test('closed values get their codes once, labels folded as the code folds them', async () => {
    await storeClosedValues(api.sql);
    const { rows: first } = await api.sql.query(
      'SELECT * FROM venture.dimension_value ORDER BY code',
    );
    await storeClosedValues(api.sql);
    const { rows: second } = await api.sql.query(
      'SELECT * FROM venture.dimension_value ORDER BY code',
    );
    expect(second).toEqual(first);
    const listed = DIMENSIONS.flatMap(({ number, closed = [] }) =>
      closed.map(({ value, label }) => [number, String(value), foldLabel(label)]),
    );
    const dimensions = new Set(listed.map(([number]) => number));
    const stored = first.filter(({ dimension }) => dimensions.has(dimension));
    expect(stored).toHaveLength(listed.length);
    expect(stored.map((row) => [row.dimension, row.value, row.folded])).toEqual(
      expect.arrayContaining(listed),
    );
  });
});

test('a value that no record has any more is rejected once the index has caught up', async () => {
  let nowMs = 0;
  const resolver = new ValueResolver(database, () => nowMs);
  const narrowing = planNarrowing([
    { dimension: 'industry', parameter: 'industry', values: ['Passing'] },
  ]);
  await api.sql.query(`UPDATE venture.startup SET tags = tags || '{Passing}'`);
  await api.catchUp();
  await resolver.assertKnown(narrowing);
  await api.sql.query(`UPDATE venture.startup SET tags = array_remove(tags, 'Passing')`);
  await api.catchUp();
  nowMs = 2_001;
  await expect(resolver.assertKnown(narrowing)).rejects.toMatchObject({ code: 'unknown_value' });
});

test('a number that is not a year may be part of the suggested value', () => {
  const stated = [{ dimension: 'team_size', parameter: 'team_size', values: ['1001'] }] as const;
  expect(() => planNarrowing(stated)).toThrow(/did you mean 1001-5000/);
});
