// Tests docs/spec/replica.md 23.1, 23.5, 23.6.
import { expect, test } from '@jest/globals';
import { closedAfterAll, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { openApi } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { type Copy, differences, follow, readAll } from './support/copy.ts';
import { RandomChanges } from './support/random-changes.ts';

const api = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
const WRITERS = 3;

async function write(changes: RandomChanges, transactions: number): Promise<void> {
  const until = changes.committed + changes.failed + transactions;
  const writer = async () => {
    const client = new pg.Client(api.databaseUrl);
    await client.connect();
    await client.query(`SET deadlock_timeout = '10ms'`);
    try {
      while (changes.committed + changes.failed < until) await changes.transaction(client, 6);
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

test('a copy that follows the changes is, row for row, what the collections answer', async () => {
  const copy: Copy = new Map();
  const changes = new RandomChanges();
  let cursor: string | undefined;
  let last = '';
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      changes.reseed(seed);
      await write(changes, 120);
      await publishOutbox(api.sql);
      const followed = await follow(api, copy, cursor);
      cursor = followed.cursor;
      expect(differences(copy, await readAll(api.sql))).toEqual([]);
      const detected = followed.entries.map(({ detectedAt }) => detectedAt);
      expect([last, ...detected]).toEqual([...new Set([last, ...detected])].sort());
      last = detected.at(-1) ?? last;
    }),
    { ...runs(3, 40), endOnFailure: true },
  );
  expect(copy.size).toBeGreaterThan(100);
});
