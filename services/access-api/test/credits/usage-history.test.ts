// Tests docs/spec/credits.md 10.11.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import { createTestDatabase } from '@vcds/test-kit';
import pg from 'pg';
import { openDatabase } from '../../src/accounts/database.ts';
import { createLedgerTable } from '../../src/credits/ledger-table.ts';
import { type ChargeRecord, createUsageHistory } from '../../src/credits/usage-history.ts';
import { createUsageSums } from '../../src/credits/usage-sums.ts';
import { aCharge } from './spending.ts';

const testDatabase = await createTestDatabase();
const pool = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
pool.on('error', () => {});
const database = openDatabase(testDatabase.url);
const history = createUsageHistory(database);
afterAll(async () => {
  await database.$disconnect();
  await pool.end();
  await testDatabase.drop();
});

const commit = (charges: ReturnType<typeof aCharge>[]) =>
  createLedgerTable(pool).commit(bucketOfAccount(charges[0]?.account ?? ''), charges);

test('pages through every charge of an account once, newest first, also within a millisecond', async () => {
  const account = randomUUID();
  const charges = Array.from({ length: 25 }, (_, number) =>
    aCharge({
      account,
      charged: number + 1,
      seq: number + 1,
      bucketSeq: number + 1,
      chargedAt: new Date(Date.UTC(2026, 2, 10, 12, 0, Math.floor(number / 6))),
    }),
  );
  await commit(charges);
  await commit([aCharge()]);
  const seen: ChargeRecord[] = [];
  for (;;) {
    const last = seen.at(-1);
    const page = await history.charges(account, {
      limit: 4,
      ...(last === undefined ? {} : { after: last }),
    });
    seen.push(...page);
    if (page.length < 4) break;
  }
  expect(seen.map(({ op }) => op)).toEqual(charges.map(({ op }) => op).reverse());
  const [newest] = seen;
  const { keyId, endpoint, requestId, period, charged, purchased, chargedAt } =
    charges.find(({ op }) => op === newest?.op) ?? aCharge();
  expect(newest).toEqual({
    op: newest?.op,
    seq: 25n,
    ...{ keyId, endpoint, requestId, period, charged, purchased, chargedAt },
  });
});

test('finds charges by request id, of one account or of all, newest first', async () => {
  const [account, other] = [randomUUID(), randomUUID()];
  const requestId = 'chosen-by-the-caller-64-characters-'.padEnd(64, 'x');
  const at = (second: number) => new Date(Date.UTC(2026, 2, 10, 12, 0, second));
  const charges = [
    aCharge({ account, requestId, charged: 7, chargedAt: at(1) }),
    aCharge({ account: other, requestId, charged: 8, chargedAt: at(2) }),
    aCharge({ account }),
  ];
  for (const each of charges) await commit([each]);
  expect(await history.ofRequest(requestId)).toMatchObject([
    { accountId: other, requestId, charged: 8 },
    { accountId: account, requestId, charged: 7 },
  ]);
  expect(await history.ofRequest(requestId, account)).toMatchObject([{ charged: 7 }]);
  expect(await history.ofRequest(requestId, randomUUID())).toEqual([]);
  expect(await history.ofRequest("x' OR true --")).toEqual([]);
});

test('takes no page of more than 500, or of none', async () => {
  for (const limit of [0, 501, 1.5]) {
    await expect(history.charges(randomUUID(), { limit })).rejects.toThrow(RangeError);
  }
});

test('sums a month by endpoint and key, newest month first, most expensive first', async () => {
  const account = randomUUID();
  const [keyId, otherKey] = [randomUUID(), randomUUID()];
  const line = { account, keyId, endpoint: '/funds' };
  await commit([
    aCharge({ ...line, period: 202601, charged: 9, bucketSeq: 1 }),
    aCharge({ ...line, period: 202602, charged: 5, bucketSeq: 2 }),
    aCharge({ ...line, charged: 4, purchased: 3, bucketSeq: 3 }),
    aCharge({ ...line, charged: 6, bucketSeq: 4 }),
    aCharge({ ...line, keyId: otherKey, charged: 1, bucketSeq: 5 }),
    aCharge({ ...line, endpoint: '/startups/{id}', charged: 20, bucketSeq: 6 }),
  ]);
  expect(await history.months(account, 202602)).toEqual([
    {
      ...{ period: 202603, endpoint: '/startups/{id}', keyId },
      ...{ calls: 1, charged: 20, purchased: 0 },
    },
    { period: 202603, endpoint: '/funds', keyId, calls: 2, charged: 10, purchased: 3 },
    { period: 202603, endpoint: '/funds', keyId: otherKey, calls: 1, charged: 1, purchased: 0 },
    { period: 202602, endpoint: '/funds', keyId, calls: 1, charged: 5, purchased: 0 },
  ]);
  expect(await history.months(randomUUID(), 202602)).toEqual([]);
});

test('sums up credits by day and endpoint, a call that crossed the end of a month on its last day', async () => {
  const account = randomUUID();
  const charges = [
    ['/startups', 5, '2026-03-01T00:00:00.000Z'],
    ['/startups', 7, '2026-03-01T23:59:59.999Z'],
    ['/funds', 2, '2026-03-01T12:00:00.000Z'],
    ['/startups', 1, '2026-03-31T12:00:00.000Z'],
    ['/startups', 4, '2026-04-01T00:00:01.000Z'],
  ] as const;
  await commit(
    charges.map(([endpoint, charged, at], i) =>
      aCharge({ account, endpoint, charged, bucketSeq: i + 1, chargedAt: new Date(at) }),
    ),
  );
  const sums = createUsageSums(database);
  expect(await sums.days(account, 202603)).toEqual([
    { day: 1, endpoint: '/funds', charged: 2 },
    { day: 1, endpoint: '/startups', charged: 12 },
    { day: 31, endpoint: '/startups', charged: 5 },
  ]);
  expect(await sums.days(account, 202604)).toEqual([]);
});
