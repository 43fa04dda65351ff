import { openRanker } from '@vcds/matching';
import pg from 'pg';
import { decodeModel } from '../models/model-bytes.ts';
import { activeModel } from '../models/model-store.ts';
import { connectionOptions } from '../postgres/connection.ts';
import { Matcher } from './matcher.ts';

/** A model of a million investments takes a few seconds. */
const READ_MS_MAX = 120_000;

/**
 * Loads the model that serves; undefined if none has been trained.
 *
 * @throws Error if the database is unreachable, or the model has another format.
 */
export async function loadMatcher(connectionString: string): Promise<Matcher | undefined> {
  const client = new pg.Client(
    connectionOptions({
      connectionString,
      name: 'data-api matching',
      settings: { default_transaction_read_only: 'on' },
      statementMsMax: READ_MS_MAX,
    }),
  );
  // A lost connection fails the statement that waits for it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const stored = await activeModel(client);
    if (stored === undefined) return undefined;
    const { model, data } = await decodeModel(stored.content);
    return new Matcher(stored.version, openRanker(model, data), data);
  } finally {
    await client.end();
  }
}
