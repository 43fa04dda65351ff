import { clustersOf, type EntityNumber, METHOD, Resolver, STATEMENTS_MAX } from '@vcds/resolution';
import type pg from 'pg';
import { applyCompanies, presentCompanies } from './apply.ts';
import { keepPage, keepRun, reopenRun, type Seen } from './compared.ts';
import { keepPairs, rulingsOf } from './pairs.ts';
import { allStatements } from './read-statements.ts';
import { type ResolutionCounts, withDeleted } from './resolution-run.ts';
import { resolveChanges } from './resolve-changes.ts';

type Database = Pick<pg.Pool, 'query'>;

const ENTITIES: readonly EntityNumber[] = [1, 2];

/** Of the statements that a run counted, how many more it may find. */
const GROWTH = 10_000;

/** All statements are compared again after this time, in hours: at night. */
const ALL_HOURS = 20;

export interface ResolveOptions {
  /** Compares all statements, not only those that changed. */
  readonly isAll?: boolean;
}

/**
 * Resolves startups and funds, and merges and splits what changed. A stopped run has done a part of it, and the
 * next one does the rest.
 *
 * @throws the reason of the signal, or the driver's error.
 */
export async function resolveCompanies(
  database: Database,
  signal: AbortSignal,
  { isAll = false }: ResolveOptions = {},
): Promise<ResolutionCounts> {
  const sum = { statements: 0, compared: 0, merged: 0, review: 0, moved: 0 };
  for (const entity of ENTITIES) {
    const { last, now } = await readState(database, entity);
    const counts =
      (last === null || isAll
        ? null
        : await resolveChanges(database, entity, { last, now }, signal)) ??
      (await resolveAll(database, entity, now, signal));
    for (const name of ['statements', 'compared', 'merged', 'review', 'moved'] as const)
      sum[name] += counts[name];
  }
  return sum;
}

async function resolveAll(
  database: Database,
  entity: EntityNumber,
  now: Seen,
  signal: AbortSignal,
): Promise<ResolutionCounts> {
  const resolver = new Resolver(Math.min(now.statements + GROWTH, STATEMENTS_MAX));
  await reopenRun(database, entity);
  let after: string | undefined;
  for await (const read of allStatements(database, entity, signal)) {
    // More have come meanwhile: their import makes the next run due.
    if (resolver.room === 0) break;
    const added = read.slice(0, resolver.room);
    for (const { statement } of added) resolver.add(statement);
    await keepPage(database, entity, { read: added, after });
    after = read.at(-1)?.statement.id ?? after;
  }
  await keepPage(database, entity, { read: [], after });
  const present = await presentCompanies(database, entity);
  const clusters = clustersOf(resolver, await rulingsOf(database, entity));
  signal.throwIfAborted();
  const wanted = withDeleted(clusters.companyOf, present, (id) => resolver.has(id));
  await keepPairs(database, entity, clusters);
  const moved = await applyCompanies(database, entity, { present, wanted }, signal);
  const { statements } = resolver;
  await keepRun(database, entity, { ...now, statements }, { isAll: true });
  return {
    ...{ statements, compared: resolver.candidates, merged: clusters.companyOf.size },
    ...{ review: clusters.reviews.length, moved },
  };
}

/** The present state, and the one that the last run read; null if this run compares all statements. */
async function readState(
  database: Database,
  entity: EntityNumber,
): Promise<{ readonly last: Seen | null; readonly now: Seen }> {
  const view = entity === 1 ? 'startup_statement' : 'fund_statement';
  const { rows } = await database.query<Omit<Seen, 'method'>>(
    `SELECT coalesce((SELECT max(finished_at) FROM venture.import_run), 'epoch') AS "importsUntil",
       pg_snapshot_xmin(pg_current_snapshot())::text AS until,
       (SELECT count(*)::integer FROM venture.${view} WHERE deleted_at IS NULL) AS statements`,
  );
  const { rows: runs } = await database.query<Seen>(
    `SELECT imports_until AS "importsUntil", seen_until::text AS until, method, statements::integer
     FROM venture.resolution_run WHERE entity = $1 AND method = $2 AND seen_until IS NOT NULL
       AND all_compared_at > now() - make_interval(hours => $3)`,
    [entity, METHOD, ALL_HOURS],
  );
  const now = rows[0] ?? { importsUntil: new Date(0), until: '0', statements: 0 };
  return { last: runs[0] ?? null, now: { ...now, method: METHOD } };
}
