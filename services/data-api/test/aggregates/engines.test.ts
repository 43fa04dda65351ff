// Tests docs/spec/aggregates.md 22.2, 22.3, 22.4.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parseFilter, QueryError } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { atLength, clickHouseFolder, createTestDatabase, eventually, runs } from '@vcds/test-kit';
import { DIMENSION_IDS, DIMENSIONS } from '@vcds/venture-model';
import fc from 'fast-check';
import pg from 'pg';

import { AGGREGATE_ENTITY_IDS } from '../../src/aggregates/entities.ts';
import { aggregateQueryOf } from '../../src/aggregates/execute.ts';
import { type AggregatesPlan, planAggregates } from '../../src/aggregates/plan.ts';
import { type AggregatesRow, compileAggregates, type GroupRow } from '../../src/aggregates/sql.ts';
import { applyAll, indexerOf } from '../categories/support/category-api.ts';
import { caughtUp, clickHouseEngine, columnarEngine } from '../categories/support/engines.ts';
import { loadCorpus } from '../support/corpus.ts';
import {
  groupReference,
  type ReferenceData,
  type ReferenceRecord,
  readReference,
} from './reference.ts';

jest.setTimeout(3_600_000);

const STARTUPS = atLength(250, 5_000);
/** Changes between comparisons: other values, deleted and restored records, and records that move. */
const CHANGES = [
  `UPDATE venture.startup SET founded = 1990 + members_count % 8, tags = tags || '{Élan,elan,"A, B"}'::text[]
     WHERE get_byte(uuid_send(id), 15) % 5 = 0`,
  `UPDATE venture.funding_round SET amount = 1e12::bigint - 7, date = DATE '1899-12-31'
     WHERE get_byte(uuid_send(id), 15) % 16 = 1`,
  `UPDATE venture.round_investor SET lead = NOT lead WHERE get_byte(uuid_send(round_id), 15) % 5 = 1;
     UPDATE venture.fund SET name = 'Á ' || name WHERE get_byte(uuid_send(id), 15) % 4 = 1`,
  `UPDATE venture.startup SET deleted_at = now() WHERE get_byte(uuid_send(id), 15) % 8 = 2`,
  `UPDATE venture.fund SET deleted_at = now() WHERE get_byte(uuid_send(id), 15) % 8 = 3`,
  `UPDATE venture.startup SET deleted_at = NULL WHERE get_byte(uuid_send(id), 15) % 16 = 2`,
];

let data: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  data = await open();
});
afterAll(() => data.close());

async function open() {
  const database = await createTestDatabase();
  await loadCorpus(database.url, { startups: STARTUPS, seed: 3 });
  const indexer = indexerOf(database.url);
  const engine = columnarEngine(database.url);
  const sql = new pg.Pool({ connectionString: database.url, max: 2 });
  await applyAll(indexer);
  const copy = clickHouseFolder() ? await clickHouseEngine(database.url) : undefined;
  engine.start();
  await eventually(() => engine.state().ready, { timeoutMs: 120_000 });
  return {
    engine,
    copy: copy?.engine,
    sql,
    /** The reference, once the engine has all that was written. */
    read: async (): Promise<ReferenceData> => {
      await applyAll(indexer);
      await caughtUp(engine);
      await copy?.caughtUp();
      return readReference(sql);
    },
    close: async () => {
      await engine.close();
      await copy?.close();
      await indexer.close();
      await sql.end();
      await database.drop();
    },
  };
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  startups: ['Founded', 'TotalRaised', 'LastFundingDate', 'MembersCount', 'AverageRoundAmount'],
  funds: ['Founded', 'InvestmentsCount', 'FirstInvestmentDate', 'AverageRoundAmount'],
  rounds: ['Date', 'Year', 'Amount'],
  valuations: ['Date', 'Year', 'Amount'],
};
const DATES: Readonly<Record<string, string>> = {
  ...{ startups: 'LastFundingDate', funds: 'FirstInvestmentDate' },
  ...{ rounds: 'Date', valuations: 'Date' },
};
const IDS: Readonly<Record<string, readonly string[]>> = {
  startups: ['Investor'],
  rounds: ['StartupId', 'Investor', 'LeadInvestor'],
  valuations: ['StartupId'],
};
const OF = ['sum', 'average', 'min', 'max', 'median', 'p25', 'p75', 'p90'];

const asked = fc.constantFrom(...AGGREGATE_ENTITY_IDS).chain((entity) => {
  const fields = FIELDS[entity] ?? [];
  return fc.record({
    entity: fc.constant(entity),
    measures: fc.array(
      fc.oneof(
        fc.constant({ of: 'count', field: '' }),
        fc.record({ of: fc.constantFrom(...OF), field: fc.constantFrom(...fields) }),
        fc.record({
          of: fc.constant('countdistinct'),
          field: fc.constantFrom(...(IDS[entity] ?? fields), fields[0] ?? ''),
        }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    by: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...DIMENSION_IDS).map((of) => ({ of })) },
        {
          weight: 1,
          arbitrary: fc.record({
            of: fc.constant(DATES[entity] ?? ''),
            unit: fc.constantFrom('year', 'quarter', 'month'),
          }),
        },
      ),
      { maxLength: 3 },
    ),
    narrowed: fc.option(fc.tuple(fc.constantFrom(...DIMENSION_IDS), fc.nat(), fc.nat())),
    least: fc.option(fc.tuple(fc.constantFrom(...fields), fc.nat())),
    order: fc.option(fc.tuple(fc.nat(), fc.boolean())),
    skip: fc.constantFrom(0, 0, 3),
  });
});

type Asked = typeof asked extends fc.Arbitrary<infer Each> ? Each : never;

/** The plan of a call; undefined for one that is an error, which the tests of errors expect. */
function planOf(call: Asked, records: readonly ReferenceRecord[]) {
  const named = (each: { of: string; field: string }) =>
    each.of === 'count' ? 'count' : `${each.of}(${each.field})`;
  const names = [...new Set(call.measures.map(named))];
  const keys = call.by.map((each) => ('unit' in each ? `${each.unit}(${each.of})` : each.of));
  const [dimension, ...picks] = call.narrowed ?? [];
  const values = dimension === undefined ? [] : valuesOf(records, dimension, picks);
  const least = call.least && pick(numbersOf(records, call.least[0]), call.least[1]);
  const literal = least != null && call.least ? literalOf(call.least[0], least) : undefined;
  const filterText = literal && call.least ? `${call.least[0]} ge ${literal}` : undefined;
  const all = [...names, ...new Set(keys)];
  try {
    const plan = planAggregates(
      {
        entity: call.entity,
        measures: names,
        by: [...new Set(keys)],
        orderBy: call.order ? [`${pick(all, call.order[0])}${call.order[1] ? ' desc' : ''}`] : [],
        ...{ top: 1_000, skip: call.skip, filterText },
        filter: filterText === undefined ? undefined : parseFilter(filterText),
        narrowing:
          dimension === undefined || values.length === 0
            ? []
            : [{ dimension, parameter: dimension, values: values.map(String) }],
      },
      '2026-01-01',
    );
    const narrowing = dimension === undefined || values.length === 0 ? {} : { [dimension]: values };
    const accepts = ({ numbers }: ReferenceRecord) =>
      filterText === undefined || (numbers[call.least?.[0] ?? ''] ?? -Infinity) >= (least ?? 0);
    return { plan, narrowing, accepts };
  } catch (error) {
    if (error instanceof ApiError || error instanceof QueryError) return undefined;
    throw error;
  }
}

function valuesOf(records: readonly ReferenceRecord[], id: string, picks: readonly number[]) {
  const all = [...new Set(records.flatMap(({ dimensions }) => dimensions[id] ?? []))];
  return all.length === 0 ? [] : [...new Set(picks.flatMap((each) => pick(all, each) ?? []))];
}

function numbersOf(records: readonly ReferenceRecord[], id: string): readonly number[] {
  return records.flatMap(({ numbers }) => numbers[id] ?? []);
}

function pick<Of>(list: readonly Of[], at: number): Of | undefined {
  return list[at % Math.max(list.length, 1)];
}

function literalOf(field: string, number: number): string {
  if (!field.endsWith('Date')) return String(number);
  return new Date(number * 86_400_000).toISOString().slice(0, 10);
}

/** Rows without order, numbers with the digits that sums of doubles have. */
function comparable({ rows, total, groups }: Pick<AggregatesRow, 'rows' | 'total' | 'groups'>) {
  const close = (list: GroupRow['measures']) =>
    list.map((each) => (each === null ? null : Number(each.toPrecision(12))));
  return {
    groups,
    total: close(total.measures),
    rows: rows.map(({ keys, measures }) => [JSON.stringify(keys), close(measures)]),
  };
}

async function bySql(plan: AggregatesPlan): Promise<AggregatesRow> {
  const { text, values } = compileAggregates(plan);
  const { rows } = await data.sql.query<AggregatesRow>(text, [...values]);
  return rows[0] as AggregatesRow;
}

describe('groups of records', () => {
  test('have the same numbers in memory, in the database and from plain lists, after changes', async () => {
    let answered = { memory: 0, database: 0 };
    for (const change of [undefined, ...CHANGES]) {
      if (change !== undefined) await data.sql.query(change);
      const reference = await data.read();
      await fc.assert(
        fc.asyncProperty(asked, async (call) => {
          const records = reference[call.entity] ?? [];
          const planned = planOf(call, records);
          fc.pre(planned !== undefined);
          const { plan, narrowing, accepts } = planned as NonNullable<typeof planned>;
          const measures = plan.measures.map((each) =>
            each.kind === 'count'
              ? { of: 'count', field: '' }
              : {
                  of: each.kind === 'distinct' ? 'countdistinct' : each.of,
                  field: each.field.name,
                },
          );
          const by = plan.by.map((key) =>
            key.kind === 'dimension'
              ? { of: key.dimension.id }
              : { of: key.field.name, unit: key.unit },
          );
          const expected = groupReference(records, { measures, by, narrowing, accepts });
          const inDatabase = comparable(await bySql(plan));
          answered = { ...answered, database: answered.database + 1 };
          expect(inDatabase.groups).toBe(expected.groups.size);
          const { total } = comparable({
            ...{ groups: 0, rows: [] },
            total: { measures: expected.total, known: [] },
          });
          expect(inDatabase.total).toEqual(total);
          const rows = [...expected.groups].map(([keys, list]) => ({
            ...{ keys: JSON.parse(keys), measures: list, known: [] },
          }));
          const lists = comparable({ groups: 0, rows, total: { measures: [], known: [] } });
          const byKeys = new Map(lists.rows.map(([keys, list]) => [keys, list]));
          for (const [keys, list] of inDatabase.rows)
            expect([keys, list]).toEqual([keys, byKeys.get(keys as string)]);
          expect(inDatabase.rows).toHaveLength(
            Math.min(1_000, Math.max(0, expected.groups.size - plan.skip)),
          );
          const query = aggregateQueryOf(plan);
          if (query === undefined) return;
          answered = { ...answered, memory: answered.memory + 1 };
          for (const engine of [data.engine, data.copy]) {
            if (engine === undefined) continue;
            const found = await engine.aggregate(query);
            expect({
              engine: engine.name,
              ...comparable({
                ...{ groups: found.groups, total: { ...found.total, known: [] } },
                rows: found.rows.map((row) => ({ ...row, known: [] })),
              }),
            }).toEqual({ engine: engine.name, ...inDatabase });
          }
        }),
        runs(atLength(40, 100)),
      );
    }
    expect(answered.memory).toBeGreaterThan(answered.database / 3);
  });

  test('can be made by every dimension of every entity', () => {
    for (const { id } of DIMENSIONS) {
      for (const entity of AGGREGATE_ENTITY_IDS) {
        const query = { entity, measures: [], by: [id], orderBy: [], top: 1, skip: 0 };
        const plan = planAggregates(
          { ...query, filter: undefined, filterText: undefined, narrowing: [] },
          '2026-01-01',
        );
        expect(aggregateQueryOf(plan) === undefined).toBe(entity === 'valuations');
      }
    }
  });
});
