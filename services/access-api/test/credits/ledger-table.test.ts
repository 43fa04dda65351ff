import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import type { AccountTotals, LedgerEntry } from '@vcds/metering';
import { createTestDatabase, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { maintainCharges } from '../../src/credits/charge-partitions.ts';
import { createLedgerTable } from '../../src/credits/ledger-table.ts';
import { aCharge, accountsIn } from './spending.ts';

const database = await createTestDatabase();
const pool = new pg.Pool({ connectionString: database.url, max: 6 });
pool.on('error', () => {});
const table = createLedgerTable(pool);
await maintainCharges(pool, 12);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The month n months from now, as YYYYMM. */
const periodIn = (n: number): number => {
  const now = new Date();
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1));
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
};

const totalsOf = async (bucket: number): Promise<AccountTotals[]> => {
  const all: AccountTotals[] = [];
  for await (const totals of table.totals(bucket)) all.push(totals);
  return all;
};
const rowsOf = async (account: string): Promise<Record<string, unknown>[]> => {
  const text = 'SELECT * FROM access.charge WHERE account_id = $1 ORDER BY seq';
  return (await pool.query(text, [account])).rows;
};
const purchase = async (account: string, credits: number): Promise<void> => {
  await pool.query(
    `INSERT INTO access.account (id, plan, bucket, position, created_at, purchased_credits)
     VALUES ($1, 'free', $2, 1, now(), $3)`,
    [account, bucketOfAccount(account), credits],
  );
};

describe('the ledger of charges', () => {
  test('keeps a charge as it was made', async () => {
    const entry = aCharge({ charged: 40, purchased: 15, seq: 7, bucketSeq: 9 });
    const bucket = bucketOfAccount(entry.account);
    expect(await table.commit(bucket, [entry])).toEqual([entry]);
    expect(await rowsOf(entry.account)).toEqual([
      {
        op: entry.op,
        account_id: entry.account,
        key_id: entry.keyId,
        endpoint: '/startups',
        request_id: entry.requestId,
        period: 202603,
        charged: 40,
        purchased: 15,
        seq: '7',
        bucket_seq: '9',
        charged_at: entry.chargedAt,
      },
    ]);
    expect(await table.bucketSeq(bucket)).toBe(9);
  });

  test('keeps an operation once, however often it is committed', async () => {
    const [account = ''] = accountsIn(11, 1);
    const first = aCharge({ account, charged: 5 });
    const second = aCharge({ account, charged: 7, seq: 2, bucketSeq: 2 });
    expect(await table.commit(11, [first, first])).toEqual([first]);
    expect(await table.commit(11, [first, second])).toEqual([second]);
    expect(await table.commit(11, [first, { ...second, charged: 70 }])).toEqual([]);
    expect(await table.commit(11, [])).toEqual([]);
    expect(await rowsOf(account)).toHaveLength(2);
    expect(await totalsOf(11)).toMatchObject([{ account, used: 12, seq: 2 }]);
  });

  test('keeps nothing of a batch that cannot be kept whole', async () => {
    const [account = ''] = accountsIn(12, 1);
    const batch = [aCharge({ account }), aCharge({ account, charged: 0, bucketSeq: 2 })];
    await expect(table.commit(12, batch)).rejects.toThrow('charge_charged_check');
    expect(await rowsOf(account)).toEqual([]);
    expect(await totalsOf(12)).toEqual([]);
    expect(await table.bucketSeq(12)).toBe(0);
  });

  test('comes to the newest month, all purchased credits spent, each key, and the highest counts', async () => {
    const [account = '', other = ''] = accountsIn(13, 2).sort();
    const [keyId, otherKey] = [randomUUID(), randomUUID()];
    const keys = [{ keyId, used: 25 }];
    await table.commit(13, [
      aCharge({ account, keyId, period: 202602, charged: 30, purchased: 4, bucketSeq: 1 }),
      aCharge({ account, keyId, period: 202603, charged: 20, purchased: 6, seq: 3, bucketSeq: 2 }),
      aCharge({
        account,
        period: 202603,
        keyId,
        endpoint: '/funds',
        charged: 5,
        seq: 2,
        bucketSeq: 4,
      }),
      aCharge({ account: other, keyId: otherKey, bucketSeq: 3 }),
    ]);
    await purchase(account, 100);
    expect(await totalsOf(13)).toEqual([
      { account, period: 202603, used: 19, spent: 10, seq: 3, purchased: 100, keys },
      {
        account: other,
        period: 202603,
        used: 1,
        spent: 0,
        seq: 1,
        purchased: 0,
        keys: [{ keyId: otherKey, used: 1 }],
      },
    ]);
    expect(await table.bucketSeq(13)).toBe(4);
    expect(await totalsOf(14)).toEqual([]);
  });

  test('comes to every account of a bucket, page by page, also those that only purchased', async () => {
    const accounts = accountsIn(15, 1_203);
    const charged = accounts.filter((_, number) => number % 3 !== 0);
    await table.commit(
      15,
      charged.map((account, number) => aCharge({ account, bucketSeq: number + 1 })),
    );
    for (const account of accounts.filter((_, number) => number % 3 !== 1)) {
      await purchase(account, 50);
    }
    const totals = await totalsOf(15);
    expect(totals.map(({ account }) => account)).toEqual([...accounts].sort());
    expect(totals.filter(({ period }) => period === 0)).toHaveLength(401);
    expect(totals.filter(({ purchased }) => purchased === 0)).toHaveLength(401);
  });

  test('is not edited: what was charged stays charged', async () => {
    const entry = aCharge();
    await table.commit(bucketOfAccount(entry.account), [entry]);
    for (const text of [
      'UPDATE access.charge SET charged = 2 WHERE op = $1',
      'DELETE FROM access.charge WHERE op = $1',
    ]) {
      await expect(pool.query(text, [entry.op])).rejects.toThrow('append-only');
    }
  });

  test('adds up, in any order of concurrent commits', async () => {
    const bucket = 16;
    const accounts = accountsIn(bucket, 3);
    const endpoints = ['/startups', '/funds', '/news'];
    const anEntry = fc.record({
      account: fc.constantFrom(...accounts),
      endpoint: fc.constantFrom(...endpoints),
      keyId: fc.constantFrom(randomUUID(), randomUUID()),
      // Three partitions: the one for other months, and those of this month and the next.
      period: fc.constantFrom(202602, periodIn(0), periodIn(1)),
      charged: fc.integer({ min: 1, max: 1_000 }),
    });
    let bucketSeq = 0;
    const seqs = new Map<string, number>();
    const numbered = (drawn: Pick<LedgerEntry, 'account' | 'charged'>): LedgerEntry => {
      const seq = (seqs.get(drawn.account) ?? 0) + 1;
      seqs.set(drawn.account, seq);
      bucketSeq += 1;
      return aCharge({ ...drawn, purchased: drawn.charged % 7 === 0 ? 1 : 0, seq, bucketSeq });
    };
    const entriesAndWorkers = fc.tuple(
      fc.array(anEntry, { minLength: 1, maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { minLength: 2, maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(entriesAndWorkers, async ([drawn, ranges]) => {
        const entries = drawn.map(numbered);
        const parts = [...ranges.map(([a, b]) => entries.slice(Math.min(a, b), b + 1)), entries];
        const fresh = await Promise.all(parts.map((part) => table.commit(bucket, part)));
        // Each operation was new to exactly one of them.
        const ops = fresh.flat().map(({ op }) => op);
        expect(ops.sort()).toEqual(entries.map(({ op }) => op).sort());
      }),
      runs(15, 800),
    );
    const { rows } = await pool.query(
      `SELECT account_id, period, endpoint, key_id, count(*) AS calls, sum(charged) AS charged,
         sum(purchased) AS purchased, max(seq) AS seq
       FROM access.charge WHERE account_id = ANY($1) GROUP BY 1, 2, 3, 4
       EXCEPT
       SELECT account_id, period, endpoint, key_id, calls, charged, purchased, seq
       FROM access.charge_total WHERE bucket = $2`,
      [accounts, bucket],
    );
    expect(rows).toEqual([]);
    expect(await table.bucketSeq(bucket)).toBe(bucketSeq);
    expect((await totalsOf(bucket)).map(({ seq }) => seq).sort()).toEqual(
      [...seqs.values()].sort(),
    );
  });

  test('needs no more than the rights the worker is to be given', async () => {
    const role = `worker_${randomUUID().slice(0, 8)}`;
    await pool.query(`
      CREATE ROLE ${role} LOGIN PASSWORD 'worker';
      GRANT USAGE ON SCHEMA access TO ${role};
      GRANT SELECT ON access.account TO ${role};
      GRANT SELECT, INSERT ON access.charge TO ${role};
      GRANT SELECT, INSERT, UPDATE ON access.charge_total, access.charge_day, access.charge_bucket TO ${role};`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'worker';
    const limited = new pg.Pool({ connectionString: url.href, max: 1 });
    limited.on('error', () => {});
    try {
      const worker = createLedgerTable(limited);
      const [account = ''] = accountsIn(17, 1);
      const entry = aCharge({ account });
      expect(await worker.commit(17, [entry])).toEqual([entry]);
      expect(await worker.commit(17, [entry])).toEqual([]);
      expect(await worker.bucketSeq(17)).toBe(1);
      for await (const totals of worker.totals(17)) expect(totals).toMatchObject({ account });
      for (const text of [
        'SELECT FROM access.api_key',
        'SELECT FROM access.event',
        "UPDATE access.account SET plan = 'scale'",
        'DELETE FROM access.charge',
        'DELETE FROM access.charge_total',
      ]) {
        await expect(limited.query(text)).rejects.toThrow('permission denied');
      }
    } finally {
      await limited.end();
      await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});

describe('the partitions of the ledger', () => {
  const partitionOf = async (account: string): Promise<string[]> => {
    const text = 'SELECT tableoid::regclass AS name FROM access.charge WHERE account_id = $1';
    return (await pool.query(text, [account])).rows.map(({ name }) => name);
  };
  const asService = async <T>(work: (limited: pg.Pool) => Promise<T>): Promise<T> => {
    const limited = new pg.Pool({ connectionString: database.urlOf('vcds_access_api'), max: 1 });
    limited.on('error', () => {});
    return work(limited).finally(() => limited.end());
  };

  test('exist for this month and the next three; a charge of another month is kept all the same', async () => {
    const [now = '', later = '', other = ''] = accountsIn(18, 3);
    await table.commit(18, [
      aCharge({ account: now, period: periodIn(0) }),
      aCharge({ account: later, period: periodIn(3), bucketSeq: 2 }),
      aCharge({ account: other, period: 202501, bucketSeq: 3 }),
    ]);
    expect(await partitionOf(now)).toEqual([`access_partition.charge_${periodIn(0)}`]);
    expect(await partitionOf(later)).toEqual([`access_partition.charge_${periodIn(3)}`]);
    expect(await partitionOf(other)).toEqual(['access_partition.charge_other']);
    expect(await asService((limited) => maintainCharges(limited, 24))).toEqual({
      created: 0,
      dropped: 0,
    });
  });

  test('are created with the charges that arrived before, which stay unique', async () => {
    const period = periodIn(2);
    await pool.query(`DROP TABLE access_partition.charge_${period}`);
    const [account = ''] = accountsIn(19, 1);
    const entry = aCharge({ account, period });
    await table.commit(19, [entry]);
    expect(await partitionOf(account)).toEqual(['access_partition.charge_other']);
    const made = await Promise.all(
      [1, 2].map(() => asService((each) => maintainCharges(each, 24))),
    );
    expect(made.map(({ created }) => created).sort()).toEqual([0, 1]);
    expect(await partitionOf(account)).toEqual([`access_partition.charge_${period}`]);
    expect(await table.commit(19, [entry])).toEqual([]);
    const change = pool.query('DELETE FROM access.charge WHERE op = $1', [entry.op]);
    await expect(change).rejects.toThrow('append-only');
  });

  test('are dropped after the retention; balances and sums are as before', async () => {
    const [kept, dropped] = [periodIn(-12), periodIn(-13)];
    for (const [n, period] of [kept, dropped].entries()) {
      await pool.query(`SELECT access.add_charge_partition(${period}, ${periodIn(-11 - n)})`);
    }
    const [account = ''] = accountsIn(20, 1);
    await table.commit(20, [
      aCharge({ account, period: dropped, charged: 30, purchased: 4, seq: 1, bucketSeq: 1 }),
      aCharge({ account, period: kept, charged: 20, seq: 2, bucketSeq: 2 }),
    ]);
    const sums = () =>
      pool.query('SELECT * FROM access.charge_total WHERE account_id = $1 ORDER BY period', [
        account,
      ]);
    const before = [await totalsOf(20), (await sums()).rows];
    expect(await asService((limited) => maintainCharges(limited, 12))).toEqual({
      created: 0,
      dropped: 1,
    });
    expect((await rowsOf(account)).map(({ period }) => period)).toEqual([kept]);
    expect([await totalsOf(20), (await sums()).rows]).toEqual(before);
  });

  test("are beyond the service's own rights, and a year of charges is its minimum", async () => {
    await asService(async (limited) => {
      await expect(maintainCharges(limited, 11)).rejects.toThrow('12 months or more');
      for (const text of [
        'DROP TABLE access_partition.charge_other',
        'SELECT FROM access_partition.charge_other',
        'SELECT access.add_charge_partition(202001, 202002)',
      ]) {
        await expect(limited.query(text)).rejects.toThrow('permission denied');
      }
    });
  });
});
