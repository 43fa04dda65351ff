// Tests docs/spec/categories.md 8.7.
// Tests docs/spec/signals.md 9.11.
/** Several dimensions of one relation mean one related record (docs/spec/categories.md 8.7). */
import { expect, jest, test } from '@jest/globals';
import { closedAfterAll, createTestDatabase, runs } from '@vcds/test-kit';
import fc from 'fast-check';

import { SIGNAL_TYPES } from '../../src/signals/signal-types.ts';
import { openApi, type Query } from '../support/api.ts';
import { loadCorpus } from '../support/corpus.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { countingEngine } from './support/engines.ts';

jest.setTimeout(600_000);

const database = await createTestDatabase();
await loadCorpus(database.url, { startups: 400, seed: 3 });
const indexer = indexerOf(database.url);
const engine = await countingEngine(database.url);
const records = {
  countRecords: engine.countRecords,
  counted: (outcome: string) => {
    counted = outcome;
  },
};
let counted = '';
const api = await closedAfterAll(openApi({ url: database.url, seed: 'SELECT 1', records }));
await closedAfterAll(
  Promise.resolve({
    close: async () => {
      await Promise.all([engine.close(), indexer.close()]);
      await database.drop();
    },
  }),
);

type Values = Readonly<Record<string, readonly unknown[]>>;
interface Row {
  readonly id: string;
  readonly own: Values;
  /** By relation, the values of each related record and of its link. */
  readonly related: Readonly<Record<string, readonly Values[]>>;
}

/** Ids of live funds in rows that link them. */
const investors = (from: string) => `(SELECT coalesce(jsonb_agg(xf.id), '[]')
  FROM ${from} AS x JOIN venture.fund AS xf ON xf.id = x.fund_id
  WHERE x.deleted_at IS NULL AND xf.deleted_at IS NULL AND `;
const STARTUP = `jsonb_build_object('country', s.countries, 'stage', ARRAY[s.last_funding_stage],
  'next_stage', ARRAY[s.next_funding_stage], 'exit_status', s.exit_statuses,
  'investor', ${investors('venture.holding')} x.startup_id = s.id))`;
const FUND = `jsonb_build_object('country', f.countries, 'investor_type', f.investment_types,
  'investment_stage', f.investment_stages, 'investor', ARRAY[f.id])`;
const ROUND = `jsonb_build_object('round_year', ARRAY[r.year], 'round_stage', ARRAY[r.stage],
  'confirmed', ARRAY[CASE WHEN r.confirmed THEN 'Confirmed' ELSE 'Unconfirmed' END],
  'investor', ${investors('venture.round_investor')} x.round_id = r.id),
  'lead_investor', ${investors('venture.round_investor')} x.round_id = r.id AND x.lead))`;
const LIVE_ROUND = `r.deleted_at IS NULL AND EXISTS (
  SELECT FROM venture.startup AS o WHERE o.id = r.startup_id AND o.deleted_at IS NULL)`;
const list = (of: string, from: string) => `(SELECT coalesce(jsonb_agg(${of}), '[]') FROM ${from})`;

/** Plain SQL of all records of an entity with their related ones. */
const ROWS: Readonly<Record<string, string>> = {
  startups: `SELECT s.id, ${STARTUP} AS own, jsonb_build_object(
    'rounds', ${list(ROUND, `venture.funding_round AS r WHERE r.startup_id = s.id AND r.deleted_at IS NULL`)},
    'funds', ${list(
      FUND,
      `venture.holding AS h JOIN venture.fund AS f ON f.id = h.fund_id
      WHERE h.startup_id = s.id AND h.deleted_at IS NULL AND f.deleted_at IS NULL`,
    )}) AS related
    FROM venture.startup AS s WHERE s.deleted_at IS NULL`,
  funds: `SELECT f.id, ${FUND} AS own, jsonb_build_object(
    'rounds', ${list(
      ROUND,
      `venture.round_investor AS i JOIN venture.funding_round AS r ON r.id = i.round_id
      WHERE i.fund_id = f.id AND i.deleted_at IS NULL AND ${LIVE_ROUND}`,
    )},
    'startups', ${list(
      `${STARTUP} || jsonb_build_object('exit_status', ARRAY[h.status])`,
      `venture.holding AS h JOIN venture.startup AS s ON s.id = h.startup_id
      WHERE h.fund_id = f.id AND h.deleted_at IS NULL AND s.deleted_at IS NULL`,
    )}) AS related
    FROM venture.fund AS f WHERE f.deleted_at IS NULL`,
  rounds: `SELECT r.id, ${ROUND} AS own, jsonb_build_object(
    'startups', ${list(STARTUP, `venture.startup AS s WHERE s.id = r.startup_id AND s.deleted_at IS NULL`)},
    'funds', ${list(
      FUND,
      `venture.round_investor AS i JOIN venture.fund AS f ON f.id = i.fund_id
      WHERE i.round_id = r.id AND i.deleted_at IS NULL AND f.deleted_at IS NULL`,
    )}) AS related
    FROM venture.funding_round AS r WHERE ${LIVE_ROUND}`,
};

/** Where each entity has a dimension: '' for itself. */
const REACHED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  startups: {
    ...{ country: '', stage: '', next_stage: '', exit_status: '', investor: '' },
    ...{ investor_type: 'funds', investment_stage: 'funds' },
    ...{ round_year: 'rounds', round_stage: 'rounds', confirmed: 'rounds' },
    lead_investor: 'rounds',
  },
  funds: {
    ...{ country: '', investor_type: '', investment_stage: '', investor: '' },
    ...{ stage: 'startups', next_stage: 'startups', exit_status: 'startups' },
    ...{ round_year: 'rounds', round_stage: 'rounds', confirmed: 'rounds' },
    lead_investor: 'rounds',
  },
  rounds: {
    ...{ round_year: '', round_stage: '', confirmed: '', investor: '', lead_investor: '' },
    ...{ country: 'startups', stage: 'startups', next_stage: 'startups', exit_status: 'startups' },
    ...{ investor_type: 'funds', investment_stage: 'funds' },
  },
};

/** The investor of a startup holds it, but beside another dimension of rounds it is of that round. */
function reached(entity: string, dimension: string, chosen: Chosen): string | undefined {
  const of = REACHED[entity] ?? {};
  const isOfRound =
    entity === 'startups' &&
    dimension === 'investor' &&
    Object.keys(chosen).some((each) => of[each] === 'rounds');
  return isOfRound ? 'rounds' : of[dimension];
}

type Chosen = Readonly<Record<string, readonly (string | number)[]>>;

function matching(rows: readonly Row[], entity: string, chosen: Chosen): readonly string[] {
  return rows
    .filter((row) => meets(row, entity, chosen))
    .map(({ id }) => id)
    .sort();
}

function meets({ own, related }: Row, entity: string, chosen: Chosen): boolean {
  const has = (values: Values, dimension: string) =>
    (values[dimension] ?? []).some((value) => chosen[dimension]?.includes(value as string));
  const by = (through: string) =>
    Object.keys(chosen).filter((dimension) => reached(entity, dimension, chosen) === through);
  if (!by('').every((dimension) => has(own, dimension))) return false;
  return Object.entries(related).every(([through, found]) => {
    const all = by(through);
    return all.length === 0 || found.some((one) => all.every((each) => has(one, each)));
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

async function valuesOf(dimension: string): Promise<readonly (string | number)[]> {
  const query = { top: '12', ...(dimension === 'round_year' && { entity: 'rounds' }) };
  const { body } = await api.get(`/categories/${dimension}`, query);
  return (body as { values: { value: string | number }[] }).values.map(({ value }) => value);
}

const CHANGES = [
  'SELECT 1',
  `UPDATE venture.funding_round SET stage = 3, date = '2020-02-02', confirmed = false
    WHERE get_byte(uuid_send(id), 15) % 5 = 0`,
  `UPDATE venture.holding SET status = 'Acquired' WHERE get_byte(uuid_send(startup_id), 15) % 3 = 0`,
  `UPDATE venture.fund SET deleted_at = now() WHERE get_byte(uuid_send(id), 15) % 4 = 1;
    UPDATE venture.startup SET deleted_at = now() WHERE get_byte(uuid_send(id), 15) % 6 = 1;
    UPDATE venture.round_investor SET deleted_at = now() WHERE get_byte(uuid_send(round_id), 15) % 7 = 1;
    UPDATE venture.round_investor SET lead = NOT lead WHERE get_byte(uuid_send(round_id), 15) % 5 = 2`,
  `UPDATE venture.fund SET deleted_at = NULL; UPDATE venture.startup SET deleted_at = NULL;
    UPDATE venture.startup SET countries = '{Germany}', last_funding_stage = 4
      WHERE get_byte(uuid_send(id), 15) % 3 = 2`,
];

interface Held {
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  readonly narrowings: fc.Arbitrary<Chosen>;
}

/** All records, and selections of their values. */
async function readHeld(): Promise<Held> {
  const values: Record<string, readonly (string | number)[]> = {
    ...{ stage: numbers(6), next_stage: numbers(6), round_stage: numbers(6) },
    ...{ investment_stage: numbers(6), confirmed: ['Confirmed', 'Unconfirmed'] },
    exit_status: ['Held', 'Exited', 'Acquired'],
    investor_type: ['VentureFund', 'Accelerator'],
    ...{ country: await valuesOf('country'), round_year: await valuesOf('round_year') },
    investor: await valuesOf('investor'),
    lead_investor: await valuesOf('lead_investor'),
  };
  const rows: Record<string, readonly Row[]> = {};
  for (const [entity, text] of Object.entries(ROWS)) {
    rows[entity] = (await api.sql.query<Row>(text)).rows;
  }
  const narrowings = fc
    .subarray(Object.keys(values), { minLength: 1, maxLength: 4 })
    .chain((dimensions) =>
      fc.record(
        Object.fromEntries(
          dimensions.map((each) => [
            each,
            fc.subarray([...(values[each] ?? [])], { minLength: 1 }),
          ]),
        ),
      ),
    );
  return { rows, narrowings };
}

test('counts, lists and facets of every entity are those of one related record, after changes', async () => {
  for (const change of CHANGES) {
    await api.sql.query(change);
    await applyAll(indexer);
    await engine.caughtUp();
    const { rows, narrowings } = await readHeld();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(ROWS)),
        narrowings,
        async (entity, chosen) => {
          const expected = matching(rows[entity] ?? [], entity, chosen);
          const query: Record<string, string> = Object.fromEntries(
            Object.entries(chosen).map(([dimension, each]) => [dimension, each.join()]),
          );
          const facets = await api.get('/categories/facets', { ...query, entity });
          expect([query, entity, (facets.body as { total: number }).total]).toEqual([
            ...[query, entity, expected.length],
          ]);
          const [[dimension = '', value = ''] = []] = Object.entries(query);
          const { [dimension]: _, ...rest } = query;
          const path = `/categories/${dimension}/${encodeURIComponent(value)}/${entity}`;
          const listed = await api.list(path, { ...rest, $select: 'Id', $top: '5000' } as Query);
          expect([path, rest, listed.map(({ Id }) => Id).sort()]).toEqual([path, rest, expected]);
          const { body } = await api.get(path, { ...rest, $count: 'true' } as Query);
          expect([path, rest, body]).toEqual([path, rest, { count: expected.length }]);
          expect(counted).toBe('in_memory');
        },
      ),
      runs(10, 600),
    );
  }
});

test.each(['startups', 'funds'])(
  'of a dimension in the path and in the query, a third condition joins that of the query: %s',
  async (entity) => {
    const rows = (await api.sql.query<Row>(ROWS[entity] ?? '')).rows;
    const [first, ...others] = (await valuesOf('round_year')).slice(0, 6);
    const stages = [2, 3, 4];
    const matches = eachOf(entity, rows);
    let all = 0;
    for (const year of others) {
      const expected = matches(
        { round_year: [first ?? 0] },
        { round_year: [year], round_stage: stages },
      );
      const path = `/categories/round_year/${first}/${entity}`;
      const query = { round_year: String(year), round_stage: stages.join() };
      const listed = await api.list(path, { ...query, $select: 'Id', $top: '5000' });
      expect([query, listed.map(({ Id }) => Id).sort()]).toEqual([query, expected]);
      const { body } = await api.get(path, { ...query, $count: 'true' });
      expect([query, body]).toEqual([query, { count: expected.length }]);
      all += expected.length;
    }
    expect(all).toBeGreaterThan(0);
  },
);

/** The records that meet both selections, each with a related record of its own. */
function eachOf(entity: string, rows: readonly Row[]) {
  return (one: Chosen, another: Chosen) => {
    const found = new Set(matching(rows, entity, one));
    return matching(rows, entity, another).filter((id) => found.has(id));
  };
}

interface Stored {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly subjectId: string;
  readonly objectId: string | null;
}

const OBJECTS: Readonly<Record<string, string>> = { round: 'rounds', startup: 'startups' };

test('signals are those whose subject, or else object, meets the narrowings as one record', async () => {
  const { rows, narrowings } = await readHeld();
  const byId = new Map(
    Object.entries(rows).flatMap(([entity, all]) =>
      all.map((row) => [`${entity} ${row.id}`, row] as const),
    ),
  );
  const { rows: signals } = await api.sql.query<Stored>(`SELECT s.id, t.name AS type,
      CASE s.subject_type WHEN 1 THEN 'startups' ELSE 'funds' END AS subject,
      s.subject_id AS "subjectId", s.object_id AS "objectId"
    FROM venture.signal AS s JOIN venture.signal_type AS t ON t.code = s.type`);
  const isMet = (entity: string, id: string | null, chosen: Chosen) => {
    const row = byId.get(`${entity} ${id}`);
    return row !== undefined && meets(row, entity, chosen);
  };
  const isListed = ({ type, subject, subjectId, objectId }: Stored, chosen: Chosen): boolean => {
    const isOwn = (dimension: string) => reached(subject, dimension, chosen) === '';
    const part = (own: boolean) =>
      Object.fromEntries(Object.entries(chosen).filter(([each]) => isOwn(each) === own));
    const ofObject = part(false);
    const object = OBJECTS[SIGNAL_TYPES.find(({ name }) => name === type)?.object ?? ''] ?? '';
    const applies = (each: string) => object === 'rounds' || REACHED[object]?.[each] === '';
    const isOfObject = Object.keys(ofObject);
    if (!isOfObject.every(applies) || !isMet(subject, subjectId, part(true))) return false;
    return isOfObject.length === 0 || isMet(object, objectId, ofObject);
  };
  let found = 0;
  await fc.assert(
    fc.asyncProperty(narrowings, async (chosen) => {
      const query = Object.fromEntries(
        Object.entries(chosen).map(([each, of]) => [each, of.join()]),
      );
      const ids: string[] = [];
      for (let after: Query = { since: '2000-01-01' }; ; ) {
        const { status, body, text } = await api.get('/signals', {
          ...query,
          ...after,
          limit: '200',
        });
        if (status !== 200) throw new Error(text);
        const page = body as { signals: { id: string }[]; nextCursor: string; hasMore: boolean };
        ids.push(...page.signals.map(({ id }) => id));
        if (!page.hasMore) break;
        after = { cursor: page.nextCursor };
      }
      const expected = signals.filter((each) => isListed(each, chosen)).map(({ id }) => id);
      expect([query, ids.sort()]).toEqual([query, expected.sort()]);
      found += ids.length;
    }),
    runs(8, 300),
  );
  expect(found).toBeGreaterThan(0);
});
