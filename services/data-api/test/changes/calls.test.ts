// Tests docs/spec/replica.md 23.2, 23.3, 23.4, 23.5, 23.7.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { CHANGE_COLLECTIONS, fieldsOfColumns } from '../../src/replica/collections.ts';
import { openApi, type Query } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { type Change, type ChangePage, changesPage, follow } from './support/copy.ts';

const api = await closedAfterAll(openApi());
let cursor: string;

beforeAll(async () => {
  await publishOutbox(api.sql);
  cursor = (await follow(api, new Map())).cursor;
});

/** The entries of a write. */
async function entriesOf(sql: string, query: Query = {}): Promise<readonly Change[]> {
  await api.sql.query(sql);
  await publishOutbox(api.sql);
  const page = await changesPage(api, { cursor, limit: '1000', ...query });
  cursor = page.nextCursor;
  return page.changes;
}

const brief = ({ collection, recordId, op, fields }: Change) => [collection, recordId, op, fields];
const CHARGED = 'x-credits-charged';
const STARTUP = `(SELECT id FROM venture.startup WHERE deleted_at IS NULL ORDER BY id LIMIT 1)`;

async function oneStartup() {
  const { rows } = await api.sql.query<{ id: string }>(`SELECT ${STARTUP} AS id`);
  return rows[0]?.id ?? '';
}

describe('an entry', () => {
  test('names the fields that changed', async () => {
    const id = await oneStartup();
    const sql = `UPDATE venture.startup SET members_count = 77777 WHERE id = '${id}'`;
    const [entry, ...others] = (await entriesOf(sql)).map(brief);
    const fields = ['MembersCount', 'MembersCountBucket', 'FundingPerMember', 'UpdatedTimeStamp'];
    expect([others, entry?.slice(0, 3)]).toEqual([[], ['startups', id, 'upsert']]);
    expect([...(entry?.[3] ?? [])].sort()).toEqual(fields.sort());
  });

  test('has no field before the record was there, and none of one that left', async () => {
    const id = randomUUID();
    const writes = [
      `INSERT INTO venture.person (id, name) VALUES ('${id}', 'Ada')`,
      `UPDATE venture.person SET deleted_at = now() WHERE id = '${id}'`,
      `UPDATE venture.person SET deleted_at = NULL WHERE id = '${id}'`,
    ];
    const entries: unknown[] = [];
    for (const sql of writes) entries.push(...(await entriesOf(sql)).map(brief));
    expect(entries).toEqual([
      ['persons', id, 'upsert', null],
      ['persons', id, 'delete', []],
      ['persons', id, 'upsert', null],
    ]);
  });

  test.each([
    ['a write of the same values', 'UPDATE venture.startup SET name = name'],
    ['origin and search text', `UPDATE venture.startup SET source_key = id::text, keywords = NULL`],
  ])('does not exist for %s', async (_, sql) => {
    expect(await entriesOf(sql)).toEqual([]);
  });

  test('of a round follows the name of its investor, of a holding that of its startup', async () => {
    const [startup, fund, round] = [randomUUID(), randomUUID(), randomUUID()];
    await entriesOf(`
      INSERT INTO venture.startup (id, name) VALUES ('${startup}', 'Acme');
      INSERT INTO venture.fund (id, name) VALUES ('${fund}', 'Beta');
      INSERT INTO venture.funding_round (id, startup_id) VALUES ('${round}', '${startup}');
      INSERT INTO venture.round_investor (round_id, fund_id) VALUES ('${round}', '${fund}')`);
    const renamed = `UPDATE venture.fund SET name = 'Gamma' WHERE id = '${fund}';
      UPDATE venture.startup SET name = 'Zeta' WHERE id = '${startup}'`;
    const entries = await entriesOf(renamed, { include: 'record' });
    const found = entries.map((entry) => [entry.collection, entry.fields, entry.record]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['fundingrounds', ['InvestorNames'], expect.objectContaining({ InvestorNames: ['Gamma'] })],
        [
          ...['holdings', ['Startup']],
          expect.objectContaining({
            FundId: fund,
            Startup: { Id: startup, Name: 'Zeta', Website: null },
          }),
        ],
      ]),
    );
    const gone = await entriesOf(`UPDATE venture.fund SET deleted_at = now() WHERE id = '${fund}'`);
    expect(gone.map(brief)).toContainEqual(['holdings', `${fund}/${startup}`, 'delete', []]);
  });

  test('of a merge and a split has the other record, while the record agrees', async () => {
    const [kept, hidden] = [randomUUID(), randomUUID()];
    await entriesOf(`INSERT INTO venture.startup (id, name)
      VALUES ('${kept}', 'Acme'), ('${hidden}', 'Acme Inc')`);
    const stated = (op: number) => `INSERT INTO venture.change_outbox (collection, ids, op, into_id)
      VALUES (1, ARRAY['${hidden}'::uuid], ${op}, '${kept}')`;
    const set = (value: string) =>
      `UPDATE venture.startup SET deleted_at = ${value} WHERE id = '${hidden}'`;
    const opsOf = async (sql: string) =>
      (await entriesOf(sql)).map(({ op, into, fields }) => [op, into, fields]);
    expect(await opsOf(`${set('now()')}; ${stated(3)}`)).toEqual([['merge', kept, []]]);
    expect(await opsOf(`${set('NULL')}; ${stated(4)}`)).toEqual([['split', kept, null]]);
    expect(await opsOf(stated(3))).toEqual([['upsert', undefined, null]]);
  });
});

describe('a call', () => {
  test('pages without gap or repetition, whatever limit and collections', async () => {
    const idsOf = async (query: Query) =>
      (await follow(api, new Map(), undefined, query)).entries.map(({ id }) => id);
    const all = await idsOf({});
    for (const limit of ['7', '200']) expect(await idsOf({ limit })).toEqual(all);
    const parts = await Promise.all(
      CHANGE_COLLECTIONS.map(({ name }) => idsOf({ collections: name })),
    );
    expect(parts.flat().sort()).toEqual([...all].sort());
    expect(parts.every((ids) => ids.length > 0)).toBe(true);
  });

  test('costs a quarter credit an entry, and each record the price of its collection', async () => {
    const quarters = { startups: 4, funds: 4, fundingrounds: 2, news: 1 } as const;
    for (const [collections, price] of Object.entries(quarters)) {
      const query = { collections, limit: '3' };
      const plain = await api.get('/changes', query);
      const full = await api.get('/changes', { ...query, include: 'record' });
      const count = (plain.body as { changes: unknown[] }).changes.length;
      const records = (full.body as { changes: Change[] }).changes.filter(({ record }) => record);
      const credits = (quarter: number) => String(Math.max(1, Math.ceil(quarter / 4)));
      expect(plain.headers[CHARGED]).toBe(credits(count));
      expect(full.headers[CHARGED]).toBe(credits(count + records.length * price));
    }
  });

  test('of a key without the scope of a collection has its entries, not its records', async () => {
    const narrow = await openApi({
      url: api.databaseUrl,
      seed: 'SELECT 1',
      principal: { scopes: new Set(['signals', 'companies']) },
    });
    const status = async (query: Query) => (await narrow.get('/changes', query)).status;
    expect(await status({})).toBe(200);
    expect(await status({ include: 'record', collections: 'startups,holdings' })).toBe(200);
    const rejected = await narrow.get('/changes', { include: 'record' });
    expect(rejected.status).toBe(403);
    expect(rejected.body).toMatchObject({
      error: { code: 'not_entitled', parameter: 'collections', value: 'fundingrounds' },
    });
    await narrow.close();
  });

  test('with a cursor that the feed does not have is 410: the database was restored', async () => {
    await api.sql.query(`CREATE TABLE public.kept AS TABLE venture.change;
      DELETE FROM venture.change WHERE detected_at > (SELECT min(detected_at) FROM public.kept)`);
    const lost = await api.get('/changes', { cursor });
    expect([lost.status, lost.body]).toEqual([
      410,
      { error: expect.objectContaining({ code: 'cursor_lost' }) },
    ]);
    expect(lost.headers[CHARGED]).toBe('0');
    await api.sql.query('INSERT INTO venture.change TABLE public.kept ON CONFLICT DO NOTHING');
    expect((await api.get('/changes', { cursor })).status).toBe(200);
  });

  test.each<[Query, string, string]>([
    [{ collections: 'startup' }, 'bad_parameter', 'startups'],
    [{ include: 'records' }, 'bad_parameter', 'record'],
    [{ cursor: 'x' }, 'bad_cursor', ''],
    [{ since: 'yesterday' }, 'bad_date', ''],
    [{ limit: '1001' }, 'bad_parameter', ''],
    [{ order: 'asc' }, 'unknown_parameter', ''],
  ])('%j is 400 %s', async (query, code, suggestion) => {
    const reply = await api.get('/changes', query);
    expect([reply.status, reply.body]).toEqual([
      400,
      { error: expect.objectContaining({ code, ...(suggestion && { suggestion }) }) },
    ]);
  });
});

describe('the capture', () => {
  test('compares every column that a collection answers, and few others', async () => {
    for (const collection of CHANGE_COLLECTIONS) {
      const { rows } = await api.sql.query<{ columns: string[] }>(
        `SELECT ARRAY(SELECT DISTINCT m[1] FROM pg_proc p,
           regexp_matches(p.prosrc, 'o\\.(\\w+) IS DISTINCT', 'g') m
           WHERE p.proname IN ('change_' || c.record_table, 'change_' || c.record_table || '_computed'))
           AS columns FROM venture.change_collection c WHERE code = $1`,
        [collection.code],
      );
      const captured = [
        ...(rows[0]?.columns ?? []),
        ...({ fundingrounds: ['round_investor'], holdings: ['startup_name', 'fund_id'] }[
          collection.name
        ] ?? []),
      ];
      const missing = collection.fields
        .map(({ name }) => name)
        .filter((name) => !fieldsOfColumns(collection.code, [...captured, 'id']).includes(name));
      expect([collection.name, missing]).toEqual([collection.name, []]);
      const noise = captured.filter(
        (name) => fieldsOfColumns(collection.code, [name]).length === 0,
      );
      expect([collection.name, noise]).toEqual([collection.name, []]);
    }
  });
});

test('a loader that follows Link, and begins again at the last time it has seen, keeps an equal copy', async () => {
  const rows = new Map<string, object>();
  let since = '2000-01-01T00:00:00Z';
  const load = async () => {
    const query = 'collections=startups&include=record&limit=60';
    for (let next: string | undefined = `/changes?${query}&since=${since}`; next !== undefined; ) {
      const reply = await api.get(next);
      for (const { recordId, record, detectedAt } of (reply.body as ChangePage).changes) {
        if (record) rows.set(recordId, record);
        else rows.delete(recordId);
        since = detectedAt;
      }
      next = /<[^>]*\/v2([^>]*)>/.exec(reply.headers.link ?? '')?.[1];
    }
    const listed = await api.list('/startups', { $top: '5000' });
    expect(new Map(listed.map((each) => [each.Id, each]))).toEqual(rows);
    return listed.length;
  };
  const before = await load();
  await api.sql.query(`
    UPDATE venture.startup SET founded = 1999 WHERE id IN (SELECT id FROM venture.startup LIMIT 9);
    UPDATE venture.startup SET deleted_at = now() WHERE id = ${STARTUP}`);
  await publishOutbox(api.sql);
  expect(await load()).toBe(before - 1);
});
