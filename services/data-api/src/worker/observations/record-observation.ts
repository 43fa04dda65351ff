import { observationAddress, retryDeadlocks } from '@vcds/venture-model';
import type pg from 'pg';
import type { CompanyObservation } from '../../observations/observed-pages.ts';

/** A connection or pool that can write: to the primary, not read-only, outside a transaction. */
export type Writer = Pick<pg.ClientBase, 'query'> | Pick<pg.Pool, 'query'>;

const URL_MAX = 2000;

/**
 * Records an observation. The same transaction updates the operating status of the company if the
 * observation changes it, which causes a signal (docs/spec/resources.md 4.14). A post that is newer
 * than the observation is ignored, because its date is wrong.
 *
 * @returns whether it was recorded: not if an observation of the same address is as new, if the URL
 *   has no host or is too long, or if the company does not exist.
 */
export async function recordObservation(
  writer: Writer,
  { company, kind, url, state, seenAt, lastPostAt, source }: CompanyObservation,
): Promise<boolean> {
  const address = url.length > URL_MAX ? null : observationAddress(kind, url);
  if (address === null) return false;
  const postAt = lastPostAt !== null && lastPostAt <= seenAt ? lastPostAt : null;
  const isStartup = company.type === 'startup';
  const values = [
    isStartup ? company.id : null,
    isStartup ? null : company.id,
    ...[kind, url, address, state, seenAt, postAt, source],
  ];
  const { rows } = await retryDeadlocks(() =>
    writer.query<{ recorded: boolean }>(
      'SELECT venture.record_observation($1, $2, $3, $4, $5, $6, $7, $8, $9) AS recorded',
      values,
    ),
  );
  return rows[0]?.recorded === true;
}
