import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '@vcds/demo-data/random';
import { withClient } from '@vcds/test-kit/bench';
import pg from 'pg';
import { recordOf, signalId, type WrittenChange } from './signal-id.ts';

interface WritersOptions {
  readonly url: string;
  readonly writers: number;
  /** Changes committed before the writers end. */
  readonly changesMin: number;
  readonly changesPerTransaction: number;
  /** Startups that all writers change: the fewer, the more they wait for each other. */
  readonly sharedStartups: number;
  /** A transaction stalls up to this long at random places. */
  readonly stallMsMax: number;
  /** The share of transactions that are rolled back. */
  readonly rollbackShare: number;
  readonly seed: number;
}

/** The expected record and revision of a signal. */
export interface Expected {
  readonly record: string;
  readonly revision: number;
}

/**
 * Runs writers that change the same records and add new ones concurrently, in transactions that
 * stall and of which some are rolled back. @returns the committed changes by the id of the signal.
 */
export async function write(options: WritersOptions) {
  const expected = new Map<string, Expected>();
  const shared = await shareStartups(options, expected);
  const tally = { transactions: 0, rolledBack: 0 };
  const isDone = () => expected.size >= options.changesMin;
  await Promise.all(
    Array.from({ length: options.writers }, (_, number) =>
      runWriter(options, number, shared, expected, tally, isDone),
    ),
  );
  return { expected, ...tally };
}

async function shareStartups(
  { url, sharedStartups }: WritersOptions,
  expected: Map<string, Expected>,
): Promise<string[]> {
  const ids = Array.from({ length: sharedStartups }, () => randomUUID()).sort();
  const changes = await withClient(url, (client) => insertStartups(client, ids));
  for (const change of changes) record(change, expected);
  return ids;
}

async function runWriter(
  options: WritersOptions,
  number: number,
  shared: readonly string[],
  expected: Map<string, Expected>,
  tally: { transactions: number; rolledBack: number },
  isDone: () => boolean,
): Promise<void> {
  const random = new Random(options.seed, number);
  const client = new pg.Client({ connectionString: options.url, application_name: 'writer' });
  await client.connect();
  const stall = async () => {
    if (random.unit() < 0.3) await delay(random.unit() * options.stallMsMax);
  };
  while (!isDone()) {
    const changes: WrittenChange[] = [];
    await client.query('BEGIN');
    try {
      // Shared records first and in one order, so that writers do not deadlock.
      const some = pickSome(
        shared,
        Math.ceil(random.unit() * options.changesPerTransaction),
        random,
      );
      changes.push(...(await updateStartups(client, some, String(random.unit()))));
      await stall();
      const many = Math.ceil(random.unit() * options.changesPerTransaction);
      const fresh = Array.from({ length: many }, () => randomUUID());
      changes.push(...(await insertStartups(client, fresh)));
      await stall();
      if (random.unit() < 0.5) changes.push(...(await insertRounds(client, fresh)));
      await stall();
      const isKept = random.unit() >= options.rollbackShare;
      await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
      if (isKept) for (const change of changes) record(change, expected);
      if (isKept) tally.transactions += 1;
      else tally.rolledBack += 1;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!(error instanceof pg.DatabaseError) || error.code !== '40P01') throw error;
      tally.rolledBack += 1;
    }
  }
  await client.end();
}

function record(change: WrittenChange, expected: Map<string, Expected>): void {
  expected.set(signalId(change), { record: recordOf(change), revision: change.revision });
}

function pickSome(from: readonly string[], many: number, random: Random): string[] {
  const picked = new Set<string>();
  for (let n = 0; n < many; n++) picked.add(from[Math.floor(random.unit() * from.length)] ?? '');
  return [...picked].sort();
}

async function changesOf(
  client: pg.Client,
  type: string,
  text: string,
  values: readonly unknown[],
): Promise<WrittenChange[]> {
  const { rows } = await client.query<Omit<WrittenChange, 'type'>>({
    name: type,
    text,
    values: [...values],
  });
  return rows.map((row) => ({ type, ...row }));
}

function updateStartups(client: pg.Client, ids: readonly string[], description: string) {
  return changesOf(
    client,
    'startup.updated',
    `WITH locked AS MATERIALIZED (
       SELECT id FROM venture.startup WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
     UPDATE venture.startup s SET description = $2 FROM locked WHERE s.id = locked.id
     RETURNING s.id AS subject, NULL AS object, s.revision::int`,
    [ids, description],
  );
}

function insertStartups(client: pg.Client, ids: readonly string[]) {
  return changesOf(
    client,
    'startup.added',
    `INSERT INTO venture.startup (id, name) SELECT id, 'Written under fire'
     FROM unnest($1::uuid[]) AS u(id)
     RETURNING id AS subject, NULL AS object, revision::int`,
    [ids],
  );
}

function insertRounds(client: pg.Client, startups: readonly string[]) {
  return changesOf(
    client,
    'round.recorded',
    `INSERT INTO venture.funding_round (startup_id, date, amount)
     SELECT id, '2020-01-01', 1000 FROM unnest($1::uuid[]) AS u(id)
     RETURNING startup_id AS subject, id AS object, revision::int`,
    [startups],
  );
}
