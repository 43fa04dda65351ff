import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase, eventually } from '@vcds/test-kit';
import pg from 'pg';
import { beginTerm, publishBatch } from '../../src/background/publish-signals/publish-batch.ts';
import { PublishedFloor } from '../../src/background/publish-signals/published-floor.ts';

const database = await createTestDatabase();
const publisher = new pg.Client(database.url);
const writer = new pg.Client(database.url);
await publisher.connect();
await writer.connect();
afterAll(async () => {
  await publisher.end();
  await writer.end();
  await database.drop();
});

const ADD_STARTUP = `INSERT INTO venture.startup (name) VALUES ('s')`;

test('the floor never passes a change of a running transaction', async () => {
  const floor = new PublishedFloor();
  const publish = async () => {
    const batch = await publishBatch(publisher, 0n, floor.serial, 100);
    floor.published(batch, 100);
    return batch.count;
  };
  await writer.query('BEGIN');
  await writer.query(ADD_STARTUP);
  await floor.mark(publisher);
  expect([await publish(), floor.serial]).toEqual([0, 0n]);
  await writer.query('COMMIT');
  expect(await publish()).toBe(1);
  // Transactions in other databases of the server delay it.
  await eventually(async () => {
    expect(await publish()).toBe(0);
    return floor.serial > 0n;
  });
  expect(floor.serial).toBe(1n);
  await writer.query(ADD_STARTUP);
  expect([await publish(), floor.serial]).toEqual([1, 1n]);
});

test('the floor of an empty outbox is 0', async () => {
  const empty = await createTestDatabase();
  const client = new pg.Client(empty.url);
  await client.connect();
  const floor = new PublishedFloor();
  await floor.mark(client);
  floor.published(await publishBatch(client, 0n, floor.serial, 100), 100);
  expect(floor.serial).toBe(0n);
  await client.query(ADD_STARTUP);
  expect((await publishBatch(client, 0n, floor.serial, 100)).count).toBe(1);
  await client.end();
  await empty.drop();
});

test('a full batch moves the floor only to its end', async () => {
  const floor = new PublishedFloor();
  await writer.query(`INSERT INTO venture.startup (name) SELECT 's' FROM generate_series(1, 30)`);
  await floor.mark(publisher);
  const batch = await publishBatch(publisher, 0n, floor.serial, 10);
  floor.published(batch, 10);
  expect([batch.count, floor.serial]).toEqual([10, 0n]);
  for (let rest = 20; floor.serial === 0n; rest = 0) {
    const next = await publishBatch(publisher, 0n, floor.serial, 25);
    floor.published(next, 25);
    expect(next.count).toBe(rest);
  }
  expect(floor.serial).toBe(32n);
});

test('a batch of an earlier term publishes nothing', async () => {
  const term = await beginTerm(publisher);
  await writer.query(ADD_STARTUP);
  expect(await beginTerm(writer)).toBe(term + 1n);
  await expect(publishBatch(publisher, term, 0n, 10)).rejects.toThrow(
    'Another process is the leader',
  );
  expect((await publishBatch(writer, term + 1n, 0n, 10)).count).toBe(1);
});
