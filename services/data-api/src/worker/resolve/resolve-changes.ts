import {
  ChangeIndex,
  cluster,
  type Edge,
  type EntityNumber,
  edgeOf,
  sizeClass,
  vetoOn,
} from '@vcds/resolution';
import type pg from 'pg';
import { applyCompanies } from './apply.ts';
import { changedStatements } from './changed-statements.ts';
import { comparedDigests, comparedStatements, keepRun, type Seen } from './compared.ts';
import { componentsOf } from './components.ts';
import { keepPairs } from './pairs.ts';
import { type ReadStatement, readStatements } from './read-statements.ts';
import { type ResolutionCounts, withDeleted } from './resolution-run.ts';

type Database = Pick<pg.Pool, 'query'>;

/** More than this, or than a tenth of the statements, are compared as fast by comparing all. */
const CHANGES_MAX = 50_000;
const CHANGED_SHARE = 0.1;
/** Statements of an index whose keys are compared in full. */
const STATEMENTS_MAX = 2 ** 21;

/**
 * Compares the statements that changed since the last run with those that share a key with them, and decides again
 * on the companies that they are or were connected with. The result is that of comparing all statements.
 *
 * @returns null if all statements have to be compared: many changed, or their number is of another class.
 * @throws the reason of the signal, or the driver's error.
 */
export async function resolveChanges(
  database: Database,
  entity: EntityNumber,
  { last, now }: { readonly last: Seen; readonly now: Seen },
  signal: AbortSignal,
): Promise<ResolutionCounts | null> {
  const max = Math.min(CHANGES_MAX, Math.max(1_000, CHANGED_SHARE * now.statements));
  if (now.statements > STATEMENTS_MAX || sizeClass(now.statements) !== sizeClass(last.statements))
    return null;
  const candidates = await changedStatements(database, entity, { seenUntil: last.until, max });
  if (candidates === null || candidates.length > max) return null;
  const changes = await readChanges(database, entity, candidates);
  const index = new ChangeIndex([...changes.ids, ...changes.gone]);
  for await (const { id, source, keys } of comparedStatements(database, entity, signal))
    index.addBefore(id, source, keys);
  for (const { statement } of changes.read)
    if (changes.ids.has(statement.id)) index.addNow(statement);
  // An import that runs meanwhile has added or removed some: the next run compares all.
  if (sizeClass(index.statements) !== sizeClass(last.statements)) return null;

  const cache = new Map(changes.read.map(({ statement }) => [statement.id, statement]));
  const read = async (ids: Iterable<string>): Promise<void> => {
    const missing = [...new Set(ids)].filter((id) => !cache.has(id) && !changes.gone.has(id));
    for (const { statement } of await readStatements(database, entity, missing))
      cache.set(statement.id, statement);
    signal.throwIfAborted();
  };
  const { ids, pairs } = index.affected();
  await read(pairs.flat());
  const crowd = index.crowdFor(cache.values());
  const compared = pairs.flatMap(([low, high]): Edge[] => {
    const [a, b] = [cache.get(low), cache.get(high)];
    const edge = a === undefined || b === undefined ? null : edgeOf(a, b, crowd);
    return edge === null ? [] : [edge];
  });
  const component = await componentsOf(database, entity, { ids, compared, since: last });
  if (component === null) return null;
  await read(component.ids);
  const sourceOf = (id: string): string => cache.get(id)?.source ?? id;
  const kept = component.kept.map(
    (edge): Edge => ({
      ...edge,
      lowSource: sourceOf(edge.low),
      highSource: sourceOf(edge.high),
    }),
  );
  const known = component.rulings.filter(({ low, high }) => cache.has(low) && cache.has(high));
  const isApart = vetoOn((id) => cache.get(id), index.crowdFor(cache.values()));
  const clusters = cluster([...kept, ...compared], known, isApart);
  const wanted = withDeleted(clusters.companyOf, component.present, (id) => cache.has(id));
  await keepPairs(database, entity, clusters, component.ids);
  const { present } = component;
  const moved = await applyCompanies(database, entity, { present, wanted }, signal);
  await keepRun(
    database,
    entity,
    { ...now, statements: index.statements },
    { isAll: false, read: changes.read, gone: [...changes.gone] },
  );
  return {
    ...{ statements: index.statements, compared: pairs.length, moved },
    ...(await countsOf(database, entity)),
  };
}

interface Changes {
  /** The candidates that there are. */
  readonly read: readonly ReadStatement[];
  /** Those of them whose evidence is another one than it was. */
  readonly ids: ReadonlySet<string>;
  /** Candidates that were compared and are deleted now. */
  readonly gone: ReadonlySet<string>;
}

async function readChanges(
  database: Database,
  entity: EntityNumber,
  candidates: readonly string[],
): Promise<Changes> {
  const read = await readStatements(database, entity, candidates);
  const before = await comparedDigests(database, entity, candidates);
  const live = new Set(read.map(({ statement }) => statement.id));
  const ids = read.flatMap(({ statement: { id }, digest }) =>
    before.get(id) === digest ? [] : [id],
  );
  return {
    read,
    ids: new Set(ids),
    gone: new Set([...before.keys()].filter((id) => !live.has(id))),
  };
}

async function countsOf(database: Database, entity: EntityNumber) {
  const { rows } = await database.query<{ merged: number; review: number }>(
    `SELECT (SELECT count(*)::integer FROM venture.company_member WHERE entity = $1) AS merged,
       (SELECT count(*)::integer FROM venture.company_pair WHERE entity = $1 AND verdict = 'review') AS review`,
    [entity],
  );
  return rows[0] ?? { merged: 0, review: 0 };
}
