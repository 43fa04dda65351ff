// Tests docs/spec/resources.md 4.2.
// Tests docs/spec/query-language.md 5.2, 5.3, 5.4, 5.5, 5.6, 5.7.
// Tests docs/spec/collections.md 6.6.
import { describe, expect, test } from '@jest/globals';
import { bindFilter, OPERATORS, type Operator, operatorsOf, parseFilter } from '@vcds/odata-query';
import { atLength, closedAfterAll, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { evaluate, type Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import { compileCount } from '../../src/collections/count.ts';
import { withListedValues } from '../../src/collections/listed-values.ts';
import { type Resource, type ResourceField, resources } from '../../src/resources/index.ts';
import { openCategoryApi } from '../categories/support/category-api.ts';
import { errorOf } from '../support/api.ts';
import { COLLECTIONS, fieldsToTry, pathOf, seedId } from '../support/collections.ts';
import { filtersOf } from './field-filters.ts';
import { rowsOf } from './rows.ts';

// Written after the facets were indexed: values that no list of values has yet.
const LATE_VALUES = `
  UPDATE venture.startup SET tags = '{Jüst in, Ναυτιλίας}',
    addresses = '[{"City": "Ébène", "Region": "Plaines", "Country": "Mauritius"}]'
    WHERE id = md5('startup12')::uuid;
  UPDATE venture.fund SET tags = '{Jüst in}', groups = '{Newcomers}',
    addresses = '[{"City": "Ébène", "Region": "Plaines", "Country": "Mauritius"}]'
    WHERE id = md5('fund12')::uuid;
  UPDATE venture.funding_round SET series = 'Brücke' WHERE startup_id = md5('startup2')::uuid
    AND id = (SELECT max(id::text)::uuid FROM venture.funding_round
      WHERE startup_id = md5('startup2')::uuid AND deleted_at IS NULL)`;

/** The number of filters of a field whose rows are also counted. */
const COUNTED = atLength(1, 1_000);
/** The number of operators tried on a field that no filter may use. */
const REJECTED = atLength(1, OPERATORS.length);

const rows = new Map<string, Row[]>();
const api = await closedAfterAll(openCategoryApi());
await api.sql.query(LATE_VALUES);
for (const collection of COLLECTIONS) {
  rows.set(collection.path, await rowsOf(api, collection));
}

describe.each(COLLECTIONS)('$path', (collection) => {
  const { resource, path } = collection;
  const stored = (): readonly Row[] => rows.get(path) ?? [];

  test('the seed has rows to filter', () => {
    expect(stored().length).toBeGreaterThan(2);
  });

  test.each(fieldsToTry(collection))(
    'field $name: every operator selects by its definition, or is rejected with its name',
    async (field) => {
      const tried = field.filterable ? OPERATORS : OPERATORS.slice(0, REJECTED);
      let counted = 0;
      for (const operator of tried) {
        if (!field.filterable || !operatorsOf(field).includes(operator)) {
          await expectRejected(collection, field, operator);
          continue;
        }
        for (const filter of filtersOf(field, operator, stored())) {
          await expectSelection(resource, pathOf(collection), filter, stored());
          if (counted++ >= COUNTED) continue;
          await expectCount(resource, pathOf(collection), filter, stored());
        }
      }
    },
  );

  test('any combination with and, or, not selects by two-valued logic', async () => {
    const terms = [...resource.fields.values()]
      .filter((field) => field.filterable && field.type !== 'keywords')
      .flatMap((field) =>
        operatorsOf(field).flatMap((operator) => filtersOf(field, operator, stored()).slice(0, 2)),
      );
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(...terms),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a} and ${b})`),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a} or ${b})`),
        tie('tree').map((a) => `not (${a})`),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (filter) => {
        await expectSelection(resource, pathOf(collection), filter, stored());
        await expectCount(resource, pathOf(collection), filter, stored());
      }),
      runs(2, 80),
    );
  });
});

test('a pattern matches values that were written after the list of values was read', async () => {
  const { sql, database, catchUp, close } = await openCategoryApi();
  try {
    const resource = resources.startup;
    const filter = bindFilter(parseFilter("Tag like '%unlisted'"), resource.fields);
    const plan = { kind: 'count', resource, parent: undefined, filter } as const;
    const before = compileCount(await withListedValues(plan, database));
    const counted = async () => (await sql.query(before.text, [...before.values])).rows[0].body;
    expect(await counted()).toBe('{"count":0}');
    await sql.query(`INSERT INTO venture.startup (name, tags) VALUES ('New', '{Ünlisted}')`);
    expect(await counted()).toBe('{"count":1}');
    await catchUp();
    expect(await counted()).toBe('{"count":1}');
  } finally {
    await close();
  }
});

async function expectSelection(
  resource: Resource,
  path: string,
  filter: string,
  held: readonly Row[],
): Promise<void> {
  const bound = bindFilter(parseFilter(filter), resource.fields);
  const wanted = held.filter((row) => evaluate(bound, row)).map(identity);
  // Other members of a row do not tell which rows were selected.
  const part = resource.fields.has('Id') ? { $select: 'Id' } : {};
  const reply = await api.get(path, { $filter: filter, $top: '5000', ...part });
  if (reply.status !== 200) throw new Error(`${filter}: ${reply.text}`);
  const found = (reply.body as Row[]).map(identity);
  expect({ filter, found: found.sort() }).toEqual({ filter, found: wanted.sort() });
}

async function expectCount(
  resource: Resource,
  path: string,
  filter: string,
  held: readonly Row[],
): Promise<void> {
  const bound = bindFilter(parseFilter(filter), resource.fields);
  const { body } = await api.get(path, { $filter: filter, $count: 'true' });
  const count = held.filter((row) => evaluate(bound, row)).length;
  expect({ filter, body }).toMatchObject({ filter, body: { count } });
}

async function expectRejected(
  collection: (typeof COLLECTIONS)[number],
  field: ResourceField,
  operator: Operator,
): Promise<void> {
  const value = { in: '(1)', notin: '(1)', like: "'1'" }[operator as string] ?? '1';
  const filter = `${field.name} ${operator} ${value}`;
  const reply = await api.get(pathOf(collection), { $filter: filter });
  const code = field.filterable ? 'operator_not_supported' : 'field_not_filterable';
  expect({ filter, status: reply.status, ...errorOf(reply) }).toMatchObject({
    filter,
    status: 400,
    code,
    field: field.name,
  });
  expect(errorOf(reply).message).toContain(field.name);
  if (code === 'operator_not_supported') {
    expect(errorOf(reply).allowed).toEqual([...operatorsOf(field)]);
    expect(errorOf(reply).message).toContain(operator);
  }
  expect(reply.headers['x-credits-charged']).toBe('0');
}

/** The identity of a row: its id, or the whole row without one. */
function identity(row: Row): string {
  return typeof row.Id === 'string'
    ? row.Id
    : JSON.stringify(row, Object.keys(row).sort().filter(isOwn));
}

function isOwn(key: string): boolean {
  return !['Startup', 'Investor', 'LeadInvestor', 'Group.Name', 'Keywords'].includes(key);
}

test.each(['Ναυτιλίας', 'ΝΑΥΤΙΛΊΑΣ', 'ναυτιλιασ'])(
  'Keywords takes either small sigma for the capital one: %s',
  async (word) => {
    const $filter = `Keywords eq '${word}'`;
    const found = await api.list('/startups', { $filter, $select: 'Id' });
    expect(found).toEqual([{ Id: seedId('startup12') }]);
  },
);

test.each(['Tag', 'City', 'Name'])(
  '%s eq and in find stored text by decomposed text',
  async (field) => {
    const { rows: found } = await api.sql.query<{ name: string }>(
      `SELECT name FROM venture.startup WHERE name LIKE 'Ágora%' AND deleted_at IS NULL LIMIT 1`,
    );
    const text = { Tag: 'Jüst in', City: 'Ébène' }[field] ?? found[0]?.name ?? '';
    const decomposed = text.normalize('NFD');
    expect(decomposed).not.toBe(text);
    const ids = async ($filter: string) =>
      (await api.list('/startups', { $filter, $select: 'Id' })).map(({ Id }) => Id);
    const expected = await ids(`${field} eq '${text}'`);
    expect(expected.length).toBeGreaterThan(0);
    expect(await ids(`${field} eq '${decomposed}'`)).toEqual(expected);
    expect(await ids(`${field} in ('${decomposed}', 'x')`)).toEqual(expected);
  },
);
