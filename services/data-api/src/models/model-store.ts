/** Trained models in PostgreSQL: one row per version, the newest serves. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { DataStamp } from './data-stamp.ts';

/** Versions that are stored; older ones are deleted when one is added. */
export const VERSIONS_KEPT = 3;

/** A model without its bytes. */
export interface ModelSummary {
  /** The day of the training in UTC and a digest of the bytes: `20261122-1a2b3c4d`. */
  readonly version: string;
  readonly createdAt: Date;
  readonly dataStamp: DataStamp;
  /** The results of the back-test. */
  readonly metrics: object;
  readonly features: readonly string[];
  readonly parameters: object;
}

/** With the bytes of the model and of the records that it computes from. */
export interface StoredModel extends ModelSummary {
  readonly content: Uint8Array;
}

/** A client or a pool. */
type Queryable = Pick<pg.ClientBase, 'query'>;

const SUMMARY = `version, created_at AS "createdAt", data_stamp AS "dataStamp", metrics,
  features, parameters`;
const NEWEST_FIRST = 'ORDER BY created_at DESC, version DESC';

/**
 * Stores a model, which serves from then on, and deletes all but the newest {@link VERSIONS_KEPT}.
 * Equal bytes on one day are one version, which becomes the newest again.
 *
 * @returns its version.
 */
export async function saveModel(
  database: Queryable,
  model: Omit<StoredModel, 'version' | 'createdAt'>,
  nowMs: number,
): Promise<string> {
  const { dataStamp, metrics, features, parameters, content } = model;
  const version = versionOf(content, nowMs);
  const json = [dataStamp, metrics, parameters].map((each) => JSON.stringify(each));
  await database.query(
    `WITH saved AS (
       INSERT INTO venture.model
         (version, data_stamp, metrics, parameters, features, content, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, (
         -- Later than all others, also within one millisecond or after the clock was set back.
         SELECT greatest(clock_timestamp(), max(created_at) + interval '1 millisecond')
         FROM venture.model))
       ON CONFLICT (version) DO UPDATE
         SET created_at = excluded.created_at, data_stamp = excluded.data_stamp,
           metrics = excluded.metrics)
     DELETE FROM venture.model WHERE version IN (
       SELECT version FROM venture.model WHERE version <> $1
       ${NEWEST_FIRST} OFFSET ${VERSIONS_KEPT - 1})`,
    [version, ...json, features, content],
  );
  return version;
}

/** The version that serves; undefined before the first training. */
export async function activeVersion(database: Queryable): Promise<string | undefined> {
  const { rows } = await database.query<{ version: string }>(
    `SELECT version FROM venture.model ${NEWEST_FIRST} LIMIT 1`,
  );
  return rows[0]?.version;
}

/** The model that serves, with its bytes; undefined before the first training. */
export async function activeModel(database: Queryable): Promise<StoredModel | undefined> {
  const { rows } = await database.query<StoredModel>(
    `SELECT ${SUMMARY}, content FROM venture.model ${NEWEST_FIRST} LIMIT 1`,
  );
  return rows[0];
}

/** All stored models, the newest first. */
export async function listModels(
  database: Queryable,
): Promise<readonly (ModelSummary & { readonly bytes: number })[]> {
  const { rows } = await database.query<ModelSummary & { bytes: number }>(
    `SELECT ${SUMMARY}, length(content) AS bytes
     FROM venture.model ${NEWEST_FIRST}`,
  );
  return rows;
}

function versionOf(content: Uint8Array, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  const digest = createHash('sha256').update(content).digest('hex');
  return `${day}-${digest.slice(0, 8)}`;
}
