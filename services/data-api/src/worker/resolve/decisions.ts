import {
  type Compiled,
  cluster,
  type Decision,
  decide,
  type Edge,
  type EntityNumber,
  type Reason,
  type Ruling,
  reasonsOf,
  vetoOn,
} from '@vcds/resolution';
import type pg from 'pg';
import { applyCompanies } from './apply.ts';
import { comparedCrowd } from './compared.ts';
import { rulingsOf } from './pairs.ts';
import { statementsOf } from './read-statements.ts';

type Database = Pick<pg.Pool, 'query'>;

/** An input that the operator can repair. */
export class DecisionError extends Error {}

/** A startup or fund, with all statements of its company. */
interface Company {
  readonly entity: EntityNumber;
  /** The statement that has the id. */
  readonly id: string;
  readonly members: readonly string[];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** The company of an id of a record or statement. @throws DecisionError if there is none. */
export async function companyOfId(database: Database, text: string): Promise<Company> {
  const id = text.toLowerCase();
  if (!UUID.test(id)) {
    throw new DecisionError(
      `'${text}' is not an id. Copy it from the field Id of a startup or fund.`,
    );
  }
  const { rows } = await database.query<{ entity: EntityNumber; members: string[] }>(
    `SELECT e.entity, ARRAY(SELECT o.member_id FROM venture.company_member m
       JOIN venture.company_member o ON o.entity = m.entity AND o.company_id = m.company_id
       WHERE m.entity = e.entity AND m.member_id = $1 ORDER BY o.member_id) AS members
     FROM (SELECT 1 AS entity FROM venture.startup WHERE id = $1
       UNION ALL SELECT 2 FROM venture.fund WHERE id = $1) e`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new DecisionError(`There is no startup or fund ${id}.`);
  return { entity: row.entity, id, members: row.members.length === 0 ? [id] : row.members };
}

async function pairOf(database: Database, first: string, second: string) {
  const [a, b] = [await companyOfId(database, first), await companyOfId(database, second)];
  if (a.id === b.id) throw new DecisionError('Give two different ids.');
  if (a.entity !== b.entity) {
    throw new DecisionError('One is a startup and the other a fund; they are never one company.');
  }
  const [low, high] = a.id < b.id ? [a.id, b.id] : [b.id, a.id];
  return {
    entity: a.entity,
    low,
    high,
    members: [...new Set([...a.members, ...b.members])].sort(),
  };
}

/** Rules that two records or statements are one company or two, and makes it so at once. */
export async function rule(
  database: Database,
  verdict: Ruling['verdict'],
  [first, second]: readonly [string, string],
): Promise<{ readonly companies: readonly (readonly string[])[] }> {
  const { entity, low, high, members } = await pairOf(database, first, second);
  await keepRuling(database, entity, { low, high, verdict });
  return { companies: await decideAgain(database, entity, members) };
}

/** Rules that no two statements of a company are one. */
export async function split(database: Database, text: string) {
  const { entity, members } = await companyOfId(database, text);
  if (members.length < 2)
    throw new DecisionError('This company has one statement; nothing to split.');
  for (const [k, low] of members.entries()) {
    for (const high of members.slice(k + 1)) {
      await keepRuling(database, entity, { low, high, verdict: 'apart' });
    }
  }
  return { companies: await decideAgain(database, entity, members) };
}

async function keepRuling(
  database: Database,
  entity: EntityNumber,
  { low, high, verdict }: Ruling,
): Promise<void> {
  await database.query(
    `INSERT INTO venture.company_ruling (entity, low_id, high_id, verdict) VALUES ($1, $2, $3, $4)
     ON CONFLICT (entity, low_id, high_id) DO UPDATE SET verdict = EXCLUDED.verdict, ruled_at = now()`,
    [entity, low, high, verdict],
  );
  await database.query(
    `DELETE FROM venture.company_pair
     WHERE entity = $1 AND low_id = $2 AND high_id = $3 AND verdict = 'review'`,
    [entity, low, high],
  );
}

/** Clusters these statements again, with the pairs of the last run and all rulings. */
async function decideAgain(
  database: Database,
  entity: EntityNumber,
  members: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const statements = new Map(
    (await statementsOf(database, entity, members)).map((one) => [one.id, one]),
  );
  const crowd = await comparedCrowd(database, entity, [...statements.values()]);
  const rulings = await rulingsOf(database, entity, members);
  const edges = await mergedPairs(database, entity, members, statements);
  const { companyOf } = cluster(
    edges,
    rulings,
    vetoOn((id) => statements.get(id), crowd),
  );
  const present = await presentOf(database, entity, members);
  await applyCompanies(database, entity, { present, wanted: companyOf });
  const groups = new Map<string, string[]>();
  for (const id of members) {
    const company = companyOf.get(id) ?? id;
    groups.set(company, [...(groups.get(company) ?? []), id]);
  }
  return [...groups.values()];
}

async function mergedPairs(
  database: Database,
  entity: EntityNumber,
  members: readonly string[],
  statements: ReadonlyMap<string, Compiled>,
): Promise<readonly Edge[]> {
  const { rows } = await database.query<{ low: string; high: string; weight: number }>(
    `SELECT low_id AS low, high_id AS high, weight FROM venture.company_pair
     WHERE entity = $1 AND low_id = ANY ($2::uuid[]) AND high_id = ANY ($2) AND verdict = 'merged'`,
    [entity, members],
  );
  return rows.map(({ low, high, weight }) => ({
    ...{ low, high, weight, verdict: 'match', veto: null },
    lowSource: statements.get(low)?.source ?? low,
    highSource: statements.get(high)?.source ?? high,
  }));
}

async function presentOf(database: Database, entity: EntityNumber, members: readonly string[]) {
  const { rows } = await database.query<{ member: string; company: string }>(
    `SELECT member_id AS member, company_id AS company FROM venture.company_member
     WHERE entity = $1 AND member_id = ANY ($2::uuid[])`,
    [entity, members],
  );
  return new Map(rows.map(({ member, company }) => [member, company]));
}

export interface Explanation extends Omit<Decision, 'verdict'> {
  readonly names: readonly [string, string];
  readonly sources: readonly [string, string];
  readonly sameCompany: boolean;
  readonly ruling: Ruling['verdict'] | null;
  readonly verdict: string;
  readonly reasons: readonly Reason[];
}

/** Why two statements are one company or two: keys, features with weights, veto, ruling. */
export async function why(database: Database, first: string, second: string): Promise<Explanation> {
  const { entity, low, high } = await pairOf(database, first, second);
  const [a, b] = await statementsOf(database, entity, [low, high]);
  if (a === undefined || b === undefined) {
    throw new DecisionError('The source of one of them has deleted it; nothing is compared.');
  }
  const crowd = await comparedCrowd(database, entity, [a, b]);
  const { features, ...decision } = decide(a, b, crowd);
  const present = await presentOf(database, entity, [low, high]);
  const [ruling] = await rulingsOf(database, entity, [low, high]);
  return {
    ...decision,
    names: [a.names[0]?.compact ?? '', b.names[0]?.compact ?? ''],
    sources: [a.source, b.source],
    sameCompany: present.has(low) && present.get(low) === present.get(high),
    ruling: ruling?.verdict ?? null,
    reasons: reasonsOf(a, features),
  };
}

/** Companies that one transaction derives. */
const COMPANIES = 200;

/** Ranks a source, or removes its rank, and derives the companies that it is about. */
export async function rankSource(database: Database, source: string, rank: number | null) {
  const { rows: known } = await database.query(
    `SELECT FROM venture.startup_statement WHERE source = $1
     UNION ALL SELECT FROM venture.fund_statement WHERE source = $1 LIMIT 1`,
    [source],
  );
  if (known.length === 0) throw new DecisionError(`No record has the source '${source}'.`);
  for (const entity of [1, 2]) {
    for (let after: string | null = null; ; ) {
      const { rows }: { rows: { last: string | null }[] } = await database.query(
        'SELECT venture.rank_source($1, $2, $3::smallint, $4, $5) AS last',
        [source, rank, entity, after, COMPANIES],
      );
      after = rows[0]?.last ?? null;
      if (after === null) break;
    }
  }
  return { source, rank };
}
