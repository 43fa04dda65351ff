import {
  type Compiled,
  type Crowd,
  crowdKeysOf,
  type EntityNumber,
  keysOf,
  sizeClass,
} from '@vcds/resolution';
import type pg from 'pg';
import type { ReadStatement } from './read-statements.ts';

type Database = Pick<pg.Pool, 'query'>;

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const PAGE = 20_000;

const VALUES = `unnest($2::uuid[], $3::text[], $4::uuid[], $5::integer[], $6::text[])
  AS v(statement_id, source, digest, name_hash, keys)`;
const UPSERT = `
  INSERT INTO venture.compared_statement AS c (statement_id, entity, source, digest, name_hash, keys)
  SELECT v.statement_id, $1, v.source, v.digest, v.name_hash, v.keys::integer[] FROM ${VALUES}
  ON CONFLICT (entity, statement_id) DO UPDATE SET source = EXCLUDED.source, digest = EXCLUDED.digest,
    name_hash = EXCLUDED.name_hash, keys = EXCLUDED.keys
  WHERE (c.digest, c.name_hash) IS DISTINCT FROM (EXCLUDED.digest, EXCLUDED.name_hash)`;

function valuesOf(entity: EntityNumber, read: readonly ReadStatement[]): unknown[] {
  return [
    ...[entity, read.map(({ statement }) => statement.id)],
    ...[read.map(({ statement }) => statement.source), read.map(({ digest }) => digest)],
    read.map(({ nameHash }) => nameHash),
    read.map(({ statement }) => `{${keysOf(statement).join()}}`),
  ];
}

/** The state of the database that a run read. */
export interface Seen {
  /** The end of the last import that it has seen. */
  readonly importsUntil: Date;
  /** The first transaction whose rows it may not know, as a decimal number. */
  readonly until: string;
  readonly method: number;
  readonly statements: number;
}

/** Keeps a page of all statements, in the order of ids, in place of those that were there. */
export async function keepPage(
  database: Database,
  entity: EntityNumber,
  { read, after }: { readonly read: readonly ReadStatement[]; readonly after: string | undefined },
): Promise<void> {
  await database.query(
    `WITH gone AS (
       DELETE FROM venture.compared_statement WHERE entity = $1
         AND statement_id > $7 AND statement_id <= $8 AND statement_id <> ALL ($2))
     ${UPSERT}`,
    [...valuesOf(entity, read), after ?? FIRST, read.at(-1)?.statement.id ?? LAST],
  );
}

/** Before all statements are kept page by page: a run that is stopped meanwhile is no base of the next one. */
export async function reopenRun(database: Database, entity: EntityNumber): Promise<void> {
  await database.query('UPDATE venture.resolution_run SET seen_until = NULL WHERE entity = $1', [
    entity,
  ]);
}

/** Keeps what a run has seen, with the statements that changed, in one transaction. */
export async function keepRun(
  database: Database,
  entity: EntityNumber,
  seen: Seen,
  { isAll, read = [], gone = [] }: KeptChanges,
): Promise<void> {
  await database.query(
    `WITH gone AS (DELETE FROM venture.compared_statement WHERE entity = $1 AND statement_id = ANY ($7)), kept AS (${UPSERT})
     INSERT INTO venture.resolution_run AS r
       (entity, imports_until, seen_until, method, statements, all_compared_at)
     VALUES ($1, $8, $9, $10, $11, CASE WHEN $12 THEN now() ELSE 'epoch' END)
     ON CONFLICT (entity) DO UPDATE SET imports_until = EXCLUDED.imports_until,
       seen_until = EXCLUDED.seen_until, method = EXCLUDED.method, statements = EXCLUDED.statements,
       resolved_at = now(), all_compared_at = greatest(r.all_compared_at, EXCLUDED.all_compared_at)`,
    [
      ...valuesOf(entity, read),
      ...[gone, seen.importsUntil, seen.until, seen.method, seen.statements, isAll],
    ],
  );
}

interface KeptChanges {
  /** Whether all statements were compared. */
  readonly isAll: boolean;
  readonly read?: readonly ReadStatement[];
  readonly gone?: readonly string[];
}

/** The statements of the last run with their keys, by ascending id. */
export async function* comparedStatements(
  database: Database,
  entity: EntityNumber,
  signal: AbortSignal,
): AsyncGenerator<{ readonly id: string; readonly source: string; readonly keys: number[] }> {
  for (let after = FIRST; ; ) {
    signal.throwIfAborted();
    const { rows } = await database.query<{ id: string; source: string; keys: Buffer }>(
      `SELECT statement_id AS id, source, array_send(keys) AS keys FROM venture.compared_statement
       WHERE entity = $1 AND statement_id > $2 ORDER BY statement_id LIMIT ${PAGE}`,
      [entity, after],
    );
    for (const { id, source, keys } of rows) yield { id, source, keys: numbersOf(keys) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}

/** The elements of an array of integers in the binary format: 20 bytes, then a length and a number each. */
function numbersOf(sent: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 24; at < sent.length; at += 8) numbers.push(sent.readInt32BE(at));
  return numbers;
}

/** The digests of statements as the last run compared them. */
export async function comparedDigests(
  database: Database,
  entity: EntityNumber,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await database.query<{ id: string; digest: string }>(
    `SELECT statement_id AS id, replace(digest::text, '-', '') AS digest
     FROM venture.compared_statement WHERE entity = $1 AND statement_id = ANY ($2)`,
    [entity, ids],
  );
  return new Map(rows.map(({ id, digest }) => [id, digest]));
}

/** The crowd of the last run, for comparisons of these statements. Reads the keys of all. */
export async function comparedCrowd(
  database: Database,
  entity: EntityNumber,
  statements: readonly Compiled[],
): Promise<Crowd> {
  const { rows: runs } = await database.query<{ statements: number }>(
    'SELECT statements::float8 AS statements FROM venture.resolution_run WHERE entity = $1',
    [entity],
  );
  const { rows } = await database.query<{ key: number; holders: number }>(
    `SELECT key, max(holders)::integer AS holders FROM (
       SELECT k.key, c.source, count(*) AS holders FROM venture.compared_statement c
       CROSS JOIN unnest(c.keys) AS k(key) WHERE c.entity = $1 AND k.key = ANY ($2::integer[])
       GROUP BY k.key, c.source) x GROUP BY key`,
    [entity, [...new Set(statements.flatMap(crowdKeysOf))]],
  );
  const holders = new Map(rows.map((row) => [row.key, sizeClass(row.holders)]));
  return {
    statements: sizeClass(runs[0]?.statements ?? 10_000),
    holders: (key) => holders.get(key) ?? 1,
  };
}
