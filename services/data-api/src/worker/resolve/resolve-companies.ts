import { clustersOf, type EntityNumber, METHOD, Resolver, STATEMENTS_MAX } from '@vcds/resolution';
import type pg from 'pg';
import { applyCompanies, type CompanyOf, presentCompanies } from './apply.ts';
import { keepPairs, rulingsOf } from './pairs.ts';
import { allStatements } from './read-statements.ts';

type Database = Pick<pg.Pool, 'query'>;

const ENTITIES: readonly EntityNumber[] = [1, 2];

/** Of the statements that a run counted, how many more it may find. */
const GROWTH = 10_000;

export interface ResolutionCounts {
  readonly statements: number;
  /** Statements that another statement shares its company with. */
  readonly merged: number;
  readonly review: number;
  /** Statements whose company is another one than before. */
  readonly moved: number;
}

/**
 * Resolves all startups and funds, and merges and splits what changed. A stopped run has done a part of it, and the
 * next one does the rest.
 *
 * @throws the reason of the signal, or the driver's error.
 */
export async function resolveCompanies(
  database: Database,
  signal: AbortSignal,
): Promise<ResolutionCounts> {
  const sum = { statements: 0, merged: 0, review: 0, moved: 0 };
  for (const entity of ENTITIES) {
    const counts = await resolveEntity(database, entity, signal);
    sum.statements += counts.statements;
    sum.merged += counts.merged;
    sum.review += counts.review;
    sum.moved += counts.moved;
  }
  return sum;
}

async function resolveEntity(
  database: Database,
  entity: EntityNumber,
  signal: AbortSignal,
): Promise<ResolutionCounts> {
  const { until, statements } = await readState(database, entity);
  const resolver = new Resolver(Math.min(statements + GROWTH, STATEMENTS_MAX));
  for await (const statement of allStatements(database, entity, signal)) {
    // More have come meanwhile: their import makes the next run due.
    if (resolver.isFull) break;
    resolver.add(statement);
  }
  const present = await presentCompanies(database, entity);
  const { companyOf, merged, reviews } = clustersOf(resolver, await rulingsOf(database, entity));
  signal.throwIfAborted();
  const wanted = withDeleted(companyOf, present, (id) => resolver.has(id));
  await keepPairs(database, entity, [
    ...merged.map((edge) => ({ ...edge, kept: 'merged' as const })),
    ...reviews.map((edge) => ({ ...edge, kept: 'review' as const })),
  ]);
  const moved = await applyCompanies(database, entity, { present, wanted }, signal);
  await database.query(
    `INSERT INTO venture.resolution_run (entity, imports_until, method, statements)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (entity) DO UPDATE SET imports_until = EXCLUDED.imports_until,
       method = EXCLUDED.method, statements = EXCLUDED.statements, resolved_at = now()`,
    [entity, until, METHOD, resolver.statements],
  );
  return { statements: resolver.statements, merged: companyOf.size, review: reviews.length, moved };
}

async function readState(database: Database, entity: EntityNumber) {
  const view = entity === 1 ? 'startup_statement' : 'fund_statement';
  const { rows } = await database.query<{ until: Date; statements: number }>(
    `SELECT coalesce((SELECT max(finished_at) FROM venture.import_run), 'epoch') AS until,
       (SELECT count(*)::integer FROM venture.${view} WHERE deleted_at IS NULL) AS statements`,
  );
  return rows[0] ?? { until: new Date(0), statements: 0 };
}

/**
 * Statements that their sources have deleted stay in the company of those that were with them, so that the id of
 * the record is not another one for it.
 */
function withDeleted(
  wanted: CompanyOf,
  present: CompanyOf,
  isLive: (id: string) => boolean,
): CompanyOf {
  const groups = new Map<string, string[]>();
  for (const [member, company] of present) {
    groups.set(company, [...(groups.get(company) ?? []), member]);
  }
  const joined = new Map(wanted);
  for (const members of groups.values()) {
    const deleted = members.filter((id) => !isLive(id));
    if (deleted.length === 0) continue;
    const live = members.find(isLive);
    const company = live === undefined ? undefined : (wanted.get(live) ?? live);
    const all =
      live === undefined ? members : [...deleted, ...membersOf(wanted, company ?? live, live)];
    const least = [...all].sort()[0] ?? '';
    for (const id of all) joined.set(id, least);
  }
  return joined;
}

function membersOf(wanted: CompanyOf, company: string, live: string): readonly string[] {
  if (!wanted.has(live)) return [live];
  return [...wanted].flatMap(([id, its]) => (its === company ? [id] : []));
}
