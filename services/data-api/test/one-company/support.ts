import { type ImportLine, recordId } from '@vcds/importer';
import type pg from 'pg';
import { canonical, readAll } from '../changes/support/copy.ts';

export const STARTUP = 1;
export const FUND = 2;

/** Makes each group of ids one company. */
export async function cluster(
  client: pg.ClientBase | pg.Pool,
  entity: number,
  groups: readonly (readonly string[])[],
): Promise<void> {
  await client.query('SELECT venture.cluster_companies($1::smallint, $2::uuid[], $3::uuid[])', [
    entity,
    groups.flat(),
    groups.flatMap((ids) => ids.map(() => ids[0])),
  ]);
}

/** Rows that the collections do not contain, as text, without what depends on the time of a write. */
const RELATED = [
  `SELECT 'investor ' || round_id || investor_id, to_jsonb(t) - 'investor_id' FROM venture.round_investor t
   WHERE EXISTS (SELECT FROM venture.funding_round r WHERE r.id = t.round_id AND r.deleted_at IS NULL)
     AND NOT EXISTS (SELECT FROM venture.fund f WHERE f.id = t.fund_id AND f.deleted_at IS NOT NULL)`,
  `SELECT 'startup_person ' || startup_id || person_id, to_jsonb(t) FROM venture.startup_person t
   WHERE EXISTS (SELECT FROM venture.startup s WHERE s.id = t.startup_id AND s.deleted_at IS NULL)`,
  `SELECT 'fund_person ' || fund_id || person_id, to_jsonb(t) FROM venture.fund_person t
   WHERE EXISTS (SELECT FROM venture.fund s WHERE s.id = t.fund_id AND s.deleted_at IS NULL)`,
  `SELECT 'reference ' || id, to_jsonb(t) FROM venture.reference t
   WHERE EXISTS (SELECT FROM venture.startup s WHERE s.id = t.startup_id AND s.deleted_at IS NULL)`,
  `SELECT 'profile ' || id, jsonb_build_object('addresses', addresses, 'groups', '{}'::text[], 'logo', logo_url,
     'keywords', keywords::text, 'source', source, 'key', source_key, 'deleted_at', deleted_at) FROM venture.startup t`,
  `SELECT 'profile ' || id, jsonb_build_object('addresses', addresses, 'groups', groups, 'logo', logo_url,
     'keywords', keywords::text, 'source', source, 'key', source_key, 'deleted_at', deleted_at) FROM venture.fund t`,
];

/** Everything that is answered, by its id, without the time stamps of writes and predictions. */
export async function answered(pool: pg.Pool): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const [id, json] of await readAll(pool)) {
    const { UpdatedTimeStamp: _u, CreatedTimeStamp: _c, ...record } = JSON.parse(json);
    all.set(id, JSON.stringify(record));
  }
  for (const select of RELATED) {
    const { rows } = await pool.query<{ id: string; row: Record<string, unknown> }>(
      `SELECT k.id, (k.row - '{created_at,updated_at,revision,deleted_at,occurred_at}'::text[])::text AS row
       FROM (${select}) AS k(id, row) WHERE k.row ->> 'deleted_at' IS NULL`,
    );
    for (const { id, row } of rows) all.set(id, canonical(String(row)));
  }
  return all;
}

export const startupId = (source: string, key: string): string => recordId('startup', source, key);
export const fundId = (source: string, key: string): string => recordId('fund', source, key);

/** The statements of two sources about one company, its fund, rounds, news, people and valuations. */
export function twoSources(): readonly ImportLine[] {
  return ['A', 'B'].flatMap((source): ImportLine[] => {
    const startup = { key: 'acme' };
    const isB = source === 'B';
    return [
      {
        ...{ type: 'startup', source, key: 'acme', Name: isB ? 'ACME Inc.' : 'Acme' },
        ...{ Website: 'https://acme.example', Tags: isB ? ['Robots', 'AI'] : ['AI'] },
        ...(isB ? { MembersCount: 12 } : { Country: 'Austria' }),
        occurredAt: isB ? '2014-01-01' : '2013-01-01',
      },
      { type: 'fund', source, key: 'f', Name: 'Northwind' },
      { type: 'person', source, key: 'p', Name: 'Ann' },
      {
        ...{ type: 'round', source, key: 'r1', Startup: startup, Series: 'Series A' },
        ...{ Date: isB ? '2012-06-15' : '2012-06-30', Amount: 1_000_000 },
        Investors: [{ type: 'fund', key: 'f', Lead: isB }],
      },
      {
        ...{ type: 'round', source, key: 'r2', Startup: startup, Series: 'Series B' },
        ...{ Date: '2013-06-30', Amount: 5_000_000 },
      },
      {
        ...{ type: 'news', source, key: 'n', Title: 'Acme raises', Startup: startup },
        Url: 'https://news.example/1',
      },
      { type: 'startup_person', source, Startup: startup, Person: { key: 'p' }, Title: 'CEO' },
      {
        ...{ type: 'valuation', source, key: 'v', Startup: startup, Round: { key: 'r2' } },
        ...{ Date: '2013-06-30', Amount: 20_000_000 },
      },
      { type: 'holding', source, Fund: { key: 'f' }, Startup: startup, Status: 'Held' },
    ];
  });
}
