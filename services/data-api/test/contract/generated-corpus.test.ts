// Tests docs/spec/query-language.md 5.2, 5.9.
// Tests docs/spec/collections.md 6.2, 6.4.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { operatorsOf } from '@vcds/odata-query';
import { atLength, createTestDatabase, eventually } from '@vcds/test-kit';
import fc from 'fast-check';
import type { Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import { type Resource, type ResourceField, resources } from '../../src/resources/index.ts';
import { applyAll, indexerOf } from '../categories/support/category-api.ts';
import { caughtUp, columnarEngine } from '../categories/support/engines.ts';
import { openApi, type Query } from '../support/api.ts';
import { loadCorpus } from '../support/corpus.ts';
import { filtersOf } from './field-filters.ts';
import { literal, storedValues } from './literals.ts';
import { ReferenceCollection } from './reference-collection.ts';
import { COLLECTIONS } from './support/collections.ts';

// A soak generates a corpus for minutes and compares thousands of calls with it.
jest.setTimeout(3_600_000);

/** In a soak, segments of the facet index are full: they have 65,535 records. */
const STARTUPS = atLength(300, 140_000);
const SEGMENT_RECORDS = atLength(40, 65_535);
/** Records whose values are asked for, and values in a list. */
const SAMPLE = 60;
const LIST_VALUES_MAX = 40;

/** One in eight startups, rounds and funds gets other values, and one in eight startups is deleted. */
const CHANGES = [
  `UPDATE venture.startup SET founded = 1990 + members_count % 8, addresses = '[{"Country": "Chile"}]'
     WHERE get_byte(uuid_send(id), 15) % 8 = 0`,
  `UPDATE venture.funding_round SET series = 'Seed', date = DATE '2020-02-02'
     WHERE get_byte(uuid_send(id), 15) % 8 = 1`,
  `UPDATE venture.startup SET deleted_at = now() WHERE get_byte(uuid_send(id), 15) % 8 = 2`,
  `UPDATE venture.fund SET members_count = 12 WHERE get_byte(uuid_send(id), 15) % 8 = 3`,
];

const counted: string[] = [];
let corpus: Awaited<ReturnType<typeof openCorpus>>;

beforeAll(async () => {
  corpus = await openCorpus();
});
afterAll(() => corpus.close());

async function openCorpus() {
  const database = await createTestDatabase();
  await loadCorpus(database.url, { startups: STARTUPS, seed: 1 });
  const indexer = indexerOf(database.url);
  const engine = columnarEngine(database.url, { segmentRecordsMax: SEGMENT_RECORDS });
  engine.start();
  await eventually(() => engine.state().ready, { timeoutMs: 120_000 });
  const api = await openApi({
    ...{ url: database.url, seed: 'SELECT 1', statementMsMax: 60_000, scanMsMax: 60_000 },
    records: {
      countRecords: (query) => engine.countRecords(query),
      counted: (outcome) => counted.push(outcome),
    },
  });
  return {
    ...api,
    indexer,
    caughtUp: () => caughtUp(engine),
    close: async () => {
      await api.close();
      await engine.close();
      await indexer.close();
      await database.drop();
    },
  };
}

const isRead = (field: ResourceField) =>
  field.selectable !== false && (field.filterable || field.sortable);

/** All records of a collection with the fields that filters and orders may use. */
async function readAll(path: string, resource: Resource): Promise<Row[]> {
  const names = [...resource.fields.values()].filter(isRead).map(({ name }) => name);
  const rows: Row[] = [];
  let next: string | undefined = `${path}?$top=5000&$select=${names.join()}`;
  while (next !== undefined) {
    const { status, body, headers, text } = await corpus.get(next);
    if (status !== 200) throw new Error(`${next}: ${text}`);
    for (const row of body as Row[]) rows.push(row);
    next = /^<[^>]*?\/v2([^>]*)>/.exec(headers.link ?? '')?.[1];
  }
  return rows;
}

/** Conditions on each field with values of some records, and lists of them. */
function conditionsOf(resource: Resource, sample: readonly Row[]): fc.Arbitrary<string> {
  const fields = [...resource.fields.values()].filter((field) => isRead(field) && field.filterable);
  const terms = fields.flatMap((field) =>
    operatorsOf(field).flatMap((operator) => filtersOf(field, operator, sample)),
  );
  const lists = fields
    .filter((field) => operatorsOf(field).includes('in'))
    .map((field) => ({ field, values: storedValues(field, sample, LIST_VALUES_MAX) }))
    .filter(({ values }) => values.length > 1)
    .map(({ field, values }) =>
      fc
        .tuple(fc.constantFrom('in', 'notin'), fc.subarray(values, { minLength: 1 }))
        .map(([operator, some]) => {
          const list = some.map((value) => literal(field, value)).join();
          return `${field.name} ${operator} (${list})`;
        }),
    );
  return fc.oneof(fc.constantFrom(...terms), fc.oneof(...lists));
}

function filtersFrom(condition: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const term = fc
    .tuple(fc.boolean(), condition)
    .map(([negated, text]) => (negated ? `not (${text})` : text));
  const more = fc.array(fc.tuple(fc.constantFrom('and', 'and', 'or'), term), { maxLength: 2 });
  return fc
    .tuple(term, more)
    .map(([first, rest]) =>
      rest.reduce((text, [word, next]) => `(${text}) ${word} ${next}`, first),
    );
}

function ordersOf({ fields }: Resource): fc.Arbitrary<string> {
  const sorted = [...fields.values()].filter(isRead).filter(({ sortable }) => sortable);
  return fc
    .uniqueArray(fc.constantFrom(...sorted.map(({ name }) => name)), { minLength: 1, maxLength: 2 })
    .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `${name} desc`))))
    .map((keys) => keys.join());
}

/** Compares calls of a collection with what its records give one by one. */
async function compareCalls(path: string, resource: Resource): Promise<void> {
  const rows = await readAll(path, resource);
  const reference = new ReferenceCollection(resource, rows);
  const step = Math.max(1, Math.floor(rows.length / SAMPLE));
  const conditions = conditionsOf(
    resource,
    rows.filter((_, index) => index % step === 0),
  );
  const calls = fc.record({
    filter: fc.option(filtersFrom(conditions), { freq: 6, nil: undefined }),
    orderby: ordersOf(resource),
    top: fc.integer({ min: 1, max: 60 }),
    part: fc.constantFrom(0, 0.1, 0.5, 0.9, 1),
  });
  await fc.assert(
    fc.asyncProperty(calls, async ({ filter, orderby, top, part }) => {
      const matching = reference.matching(filter);
      const where: Query = filter === undefined ? {} : { $filter: filter };
      const { body } = await corpus.get(path, { ...where, $count: 'true' });
      expect(body).toMatchObject({ count: matching.length });
      const skip = Math.floor(part * matching.length);
      const page = await corpus.list(path, {
        ...where,
        ...{ $orderby: orderby, $top: String(top), $skip: String(skip), $select: 'Id' },
      });
      expect(reference.faultsOf(page as Row[], matching, { orderby, top, skip })).toEqual([]);
    }),
    { numRuns: atLength(30, 150) },
  );
}

describe.each([
  ['as they were written', []],
  ['after changes', CHANGES],
])('generated records %s', (_, changes) => {
  beforeAll(async () => {
    for (const change of changes) expect((await corpus.sql.query(change)).rowCount).not.toBe(0);
    await applyAll(corpus.indexer);
    await corpus.caughtUp();
  });

  test.each(COLLECTIONS)('%s: counts and pages are those of its records', compareCalls);
});

test('counts were made in memory and by the database', () => {
  expect(new Set(counted)).toEqual(new Set(['in_memory', 'not_indexed']));
});

describe('the check of a page', () => {
  const { startup } = resources;
  const rows = [3, 1, 2, 2, null].map((founded, n): Row => ({ Id: `${n}`, Founded: founded }));
  const reference = new ReferenceCollection(startup, rows);
  const matching = reference.matching('Founded ne null');
  const asked = { orderby: 'Founded desc', top: 2, skip: 1 };
  const page = (...ids: string[]) => ids.map((Id) => ({ Id }));

  test('accepts the right one', () => {
    expect(reference.faultsOf(page('3', '2'), matching, asked)).toEqual([]);
    expect(reference.faultsOf(page('1'), matching, { ...asked, skip: 3 })).toEqual([]);
    expect(reference.faultsOf(page(), matching, { ...asked, skip: 4 })).toEqual([]);
  });

  test.each([
    ['too few records', page('3'), '1 records instead of 2'],
    ['an unknown record', page('3', '9'), '1 unknown records, 0 of others'],
    ['a record that does not match', page('3', '4'), '0 unknown records, 1 of others'],
    ['another order', page('2', '3'), '3 is out of order'],
    ['a record twice', page('3', '3'), '3 is out of order'],
    ['a record too many before it', page('2', '1'), '2 records before the first, not 1'],
    ['a record left out', page('3', '1'), '3 records before the last, not 2'],
  ])('finds %s', (_, records, fault) => {
    expect(reference.faultsOf(records, matching, asked)).toContain(fault);
  });
});
