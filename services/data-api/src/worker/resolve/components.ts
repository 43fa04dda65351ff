import { type Edge, type EntityNumber, type Ruling, WEIGHTS } from '@vcds/resolution';
import type pg from 'pg';
import type { CompanyOf } from './apply.ts';
import type { Seen } from './compared.ts';

type Database = Pick<pg.Pool, 'query'>;
type Pair = Omit<Edge, 'lowSource' | 'highSource'>;

/** Statements that are decided on at once; more are decided on by a run of all. */
const IDS_MAX = 100_000;

/** All that decides on the companies of some statements. */
export interface Component {
  /** Closed: no pair, ruling or company connects one of these with another statement. */
  readonly ids: readonly string[];
  /** The pairs of the last run of which neither statement is an affected one. */
  readonly kept: readonly Pair[];
  readonly rulings: readonly Ruling[];
  readonly present: CompanyOf;
}

/**
 * The statements that pairs of before or now, rulings or present companies connect with affected ones, or with
 * those of a ruling since the last run.
 *
 * @returns null if they are too many.
 */
export async function componentsOf(
  database: Database,
  entity: EntityNumber,
  {
    ids: affected,
    compared,
    since,
  }: {
    readonly ids: ReadonlySet<string>;
    readonly compared: readonly Edge[];
    readonly since: Seen;
  },
): Promise<Component | null> {
  const ids = new Set<string>();
  const kept = new Map<string, Pair>();
  const rulings = new Map<string, Ruling>();
  const present = new Map<string, string>();
  const ruled = await ruledSince(database, entity, since);
  let next = new Set([...affected, ...compared.flatMap(({ low, high }) => [low, high]), ...ruled]);
  while (next.size > 0) {
    if (ids.size + next.size > IDS_MAX) return null;
    const reached = [...next];
    next = new Set();
    for (const id of reached) ids.add(id);
    const reach = (id: string): unknown => ids.has(id) || next.add(id);
    for (const pair of await pairsOf(database, entity, reached)) {
      const { low, high } = pair;
      if (!affected.has(low) && !affected.has(high)) kept.set(`${low} ${high}`, pair);
      reach(low);
      reach(high);
    }
    for (const ruling of await rulingsAbout(database, entity, reached)) {
      rulings.set(`${ruling.low} ${ruling.high}`, ruling);
      reach(ruling.low);
      reach(ruling.high);
    }
    for (const { member, company } of await companiesOf(database, entity, reached)) {
      present.set(member, company);
      reach(member);
    }
  }
  return {
    ids: [...ids].sort(),
    kept: [...kept.values()],
    rulings: [...rulings.values()],
    present,
  };
}

/** One of the two is one of the ids; each half has its index. */
const eitherOf = (columns: string, table: string): string =>
  `SELECT ${columns} FROM venture.${table} WHERE entity = $1 AND low_id = ANY ($2::uuid[])
   UNION SELECT ${columns} FROM venture.${table} WHERE entity = $1 AND high_id = ANY ($2)`;

async function pairsOf(
  database: Database,
  entity: EntityNumber,
  ids: readonly string[],
): Promise<readonly Pair[]> {
  const { rows } = await database.query<Omit<Pair, 'verdict'>>(
    eitherOf('low_id AS low, high_id AS high, weight, veto', 'company_pair'),
    [entity, ids],
  );
  const { match } = WEIGHTS[entity];
  return rows.map((row) => ({
    ...row,
    weight: Math.fround(row.weight),
    verdict: row.veto === null && row.weight >= match ? 'match' : 'review',
  }));
}

async function rulingsAbout(
  database: Database,
  entity: EntityNumber,
  ids: readonly string[],
): Promise<readonly Ruling[]> {
  const { rows } = await database.query<Ruling>(
    eitherOf('low_id AS low, high_id AS high, verdict', 'company_ruling'),
    [entity, ids],
  );
  return rows;
}

async function companiesOf(database: Database, entity: EntityNumber, ids: readonly string[]) {
  const { rows } = await database.query<{ member: string; company: string }>(
    `SELECT o.member_id AS member, o.company_id AS company FROM venture.company_member o
     WHERE o.entity = $1 AND o.company_id IN (
       SELECT m.company_id FROM venture.company_member m WHERE m.entity = $1 AND m.member_id = ANY ($2::uuid[]))`,
    [entity, ids],
  );
  return rows;
}

/** The statements of rulings of transactions that the last run may not know. */
async function ruledSince(
  database: Database,
  entity: EntityNumber,
  { until }: Seen,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT unnest(ARRAY[low_id, high_id]) AS id FROM venture.company_ruling r
     WHERE entity = $1 AND age(r.xmin) <= age((($2::numeric % 4294967296)::text)::xid)`,
    [entity, until],
  );
  return rows.map(({ id }) => id);
}
