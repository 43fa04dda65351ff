// Tests docs/spec/credits.md 10.7, 10.11.
// Tests docs/spec/plans.md 13.5.
// Tests docs/spec/legacy-tokens.md 15.8.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { digestOf, type generateApiKey, KEY_CHANGES_STREAM } from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import { charge } from '../credits/spending.ts';
import { basic, exchange } from '../legacy/legacy.ts';
import { drain, openFixture } from '../registration/fixture.ts';
import { adminOf } from './admin.ts';

const fixture = await openFixture();

const admin = (words: string, input = '') => adminOf(fixture.access, words, { input });

async function done(words: string, input = '') {
  const { status, out, err } = await admin(words, input);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return JSON.parse(out);
}

let accounts = 0;
async function newAccount(plan = 'free'): Promise<string> {
  accounts += 1;
  const words = `account create --plan ${plan} --email operator${accounts}@example.com`;
  return (await done(words)).account_id;
}

const statusOf = async (userName: string, password: string): Promise<number> =>
  (await exchange(fixture, basic(userName, password))).status;

describe('account password', () => {
  test('is read from standard input, opens the exchange, and is replaced and removed', async () => {
    const account = await newAccount();
    const words = `account password ${account} --user-name Legacy@Example.com`;
    expect(await done(words, 'the first password\n')).toEqual({
      account_id: account,
      user_name: 'legacy@example.com',
      replaced: false,
    });
    expect(await statusOf('legacy@example.com', 'the first password')).toBe(200);
    const again = await done(`account password ${account}`, 'the second password\r\n');
    expect(again).toMatchObject({ user_name: 'legacy@example.com', replaced: true });
    expect(await statusOf('legacy@example.com', 'the first password')).toBe(401);
    expect(await statusOf('legacy@example.com', 'the second password')).toBe(200);
    expect(await done(`account remove-password ${account}`)).toMatchObject({ removed: true });
    expect(await done(`account remove-password ${account}`)).toMatchObject({ removed: false });
    expect(await statusOf('legacy@example.com', 'the second password')).toBe(401);
  });

  test('is generated and shown once, and no command shows it again', async () => {
    const account = await newAccount();
    const { password } = await done(`account password ${account} --user-name gen --generate`);
    expect(password).toMatch(/^[\w-]{24}$/);
    expect(await statusOf('gen', password)).toBe(200);
    const shown = await admin(`account show ${account}`);
    expect(JSON.parse(shown.out)).toMatchObject({ user_name: 'gen', keys: [] });
    expect(shown.out).not.toContain(password);
    expect(shown.out).not.toContain('scrypt');
  });

  test('with the user name of another account is an error and changes nothing', async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    await done(`account password ${one} --user-name taken`, 'a long enough one');
    const rejected = await admin(`account password ${two} --user-name TAKEN`, 'another long one');
    expect(rejected).toMatchObject({ status: 1, out: '' });
    expect(rejected.err).toBe("Another account has the user name 'taken'.");
    expect(await statusOf('taken', 'a long enough one')).toBe(200);
  });

  test('of two accounts that take one user name at once, one gets it', async () => {
    const ids = await Promise.all([newAccount(), newAccount(), newAccount()]);
    const runs = await Promise.all(
      ids.map((id) => admin(`account password ${id} --user-name race`, 'a long enough one')),
    );
    expect(runs.filter(({ status }) => status === 0)).toHaveLength(1);
    expect(runs.filter(({ err }) => err.includes("the user name 'race'"))).toHaveLength(2);
  });

  test.each([
    ['', 'x'.repeat(12), 'The account has no user name yet'],
    ['--user-name a:b', 'x'.repeat(12), 'without a colon'],
    ['--user-name pk_live_x', 'x'.repeat(12), 'It must not begin like a key'],
    ['--user-name short', 'x'.repeat(11), 'a password of 12 to 1024 characters'],
    ['--user-name long', 'x'.repeat(1_025), 'a password of 12 to 1024 characters'],
    ['--user-name lines', 'one line, then\nanother', 'must be one line'],
  ])('%s with %j: not understood, %s', async (options, input, sentence) => {
    const run = await admin(`account password ${await newAccount()} ${options}`, input);
    expect(run.status).toBe(2);
    expect(run.err).toContain(sentence);
    expect(run.err).not.toContain(input);
  });
});

describe('account revoke', () => {
  test('revokes all keys and the password at once, notifies data-api, and keeps the rest', async () => {
    const account = await newAccount('growth');
    const keys = [await done(`key issue ${account}`), await done(`key issue ${account}`)];
    await done(`account password ${account} --user-name ended`, 'a long enough one');
    await done(`grant ${account} 70 --operation ended-1`);
    const { redis, guard } = fixture.access;
    const [last] = await redis.xrevrange(KEY_CHANGES_STREAM, '+', '-', 'COUNT', 1);
    expect(await done(`account revoke ${account}`)).toEqual({
      account_id: account,
      revoked_keys: 3,
    });
    for (const { api_key } of keys) {
      const digest = digestOf(api_key as ReturnType<typeof generateApiKey>);
      expect(await guard.check(digest)).toEqual({ rejected: 'revoked' });
    }
    expect(await statusOf('ended', 'a long enough one')).toBe(401);
    expect(await redis.xlen(KEY_CHANGES_STREAM)).toBeGreaterThan(2);
    const changes = await redis.xrange(KEY_CHANGES_STREAM, `(${last?.[0] ?? '0'}`, '+');
    expect(changes).toHaveLength(3);
    expect(await done(`account revoke ${account}`)).toMatchObject({ revoked_keys: 0 });
    const shown = await done(`account show ${account}`);
    expect(shown).toMatchObject({ plan: 'growth', user_name: null });
    expect(shown.credits.purchased_left).toBe(70);
    const fresh = await done(`key issue ${account}`);
    expect(await guard.check(digestOf(fresh.api_key))).toHaveProperty('principal');
  });
});

describe('account list', () => {
  test('pages through all accounts, or those on a plan', async () => {
    await newAccount('starter');
    const { accounts: all } = await done('account list');
    const seen: string[] = [];
    for (let after = ''; ; after = ` --after ${seen.at(-1)}`) {
      const page = (await done(`account list --limit 2${after}`)).accounts;
      if (page.length === 0) break;
      seen.push(...page.map(({ account_id }: { account_id: string }) => account_id));
    }
    expect(seen).toEqual(all.map(({ account_id }: { account_id: string }) => account_id));
    const { accounts: starters } = await done('account list --plan starter');
    expect(starters).toHaveLength(1);
    expect(starters[0]).toMatchObject({ plan: 'starter', purchased_credits: 0 });
  });
});

describe('grant', () => {
  test('adds credits that are spent after the allowance and do not expire with the month', async () => {
    const account = await newAccount('free');
    const { key_id } = await done(`key issue ${account}`);
    expect(await done(`grant ${account} 40 --operation invoice-1 --note first`)).toEqual({
      account_id: account,
      operation_id: 'invoice-1',
      credits: 40,
      repeated: false,
      purchased_credits: 40,
    });
    const redis = fixture.access.redis;
    const spend = (amount: number, month = 0) =>
      charge(createRedisLedger({ redis, clockOffsetMs: () => month * 31 * 86_400_000 }).ledger, {
        account,
        keyId: key_id,
        amount,
        limit: 500,
      });
    expect(await spend(495)).toMatchObject({ used: 495, remaining: 45, purchased: 40 });
    // 5 of the allowance and 10 purchased ones.
    expect(await spend(15)).toMatchObject({ used: 500, remaining: 30, purchased: 30 });
    expect(await spend(31)).toBe('exhausted');
    // The next month has its own 500 and the 30 that are left.
    expect(await spend(1, 1)).toMatchObject({ used: 1, remaining: 529, purchased: 30 });
    expect(await spend(520, 1)).toMatchObject({ used: 500, remaining: 9, purchased: 9 });
  });

  test('counts an operation once, however often and however many at once ask for it', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const words = `grant ${account} 10 --operation once`;
    const runs = await Promise.all(Array.from({ length: 8 }, () => admin(words)));
    expect(runs.map(({ status }) => status)).toEqual(Array(8).fill(0));
    expect(runs.filter(({ out }) => !JSON.parse(out).repeated)).toHaveLength(1);
    expect((await done(words)).purchased_credits).toBe(10);
    for (const purchase of [`${account} 11`, `${other} 10`]) {
      const rejected = await admin(`grant ${purchase} --operation once`);
      expect(rejected.status).toBe(1);
      expect(rejected.err).toBe('Operation once belongs to another purchase.');
    }
    expect((await done(`account show ${account}`)).credits.purchased_left).toBe(10);
  });

  test('many different ones at once all count', async () => {
    const account = await newAccount();
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => done(`grant ${account} ${i + 1} --operation many-${i}`)),
    );
    const { credits, purchases } = await done(`account show ${account}`);
    expect(credits).toMatchObject({ remaining: 555, purchased_left: 55 });
    expect(purchases).toHaveLength(10);
  });

  test('what was recorded but never reached Redis is brought there by the same command', async () => {
    const account = await newAccount();
    await done(`grant ${account} 25 --operation lost`);
    const names = await fixture.access.redis.keys(`*credits:${account}`);
    await fixture.access.redis.hdel(names[0] ?? '', 'purchased');
    expect((await done(`account show ${account}`)).credits.purchased_left).toBe(0);
    expect(await done(`grant ${account} 25 --operation lost`)).toMatchObject({ repeated: true });
    expect((await done(`account show ${account}`)).credits.purchased_left).toBe(25);
  });

  test('above the maximum of the ledger is rejected', async () => {
    const account = await newAccount();
    await done(`grant ${account} 999999999999 --operation huge-1`);
    const rejected = await admin(`grant ${account} 2 --operation huge-2`);
    expect(rejected).toMatchObject({ status: 1 });
    expect(rejected.err).toContain('at most 1000000000000 credits');
    expect((await done(`account show ${account}`)).credits.purchased_left).toBe(999_999_999_999);
  });
});

describe('charge', () => {
  test('explains what a call was charged, by the request id of its answer', async () => {
    const account = await newAccount('free');
    const { key_id } = await done(`key issue ${account}`);
    const { ledger } = fixture.access;
    const requestId = randomUUID();
    await charge(ledger, { account, keyId: key_id, amount: 3, limit: 500, requestId });
    await charge(ledger, { account, keyId: key_id, amount: 4, limit: 500 });
    await drain(fixture.access);
    const found = {
      ...{ request_id: requestId, key_id, endpoint: '/funds', charged: 3, purchased: 0 },
      charged_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    };
    expect(await done(`charge ${requestId}`)).toEqual({
      charges: [{ account_id: account, ...found }],
    });
    const listed = await done(`account charges ${account}`);
    // Charges of one millisecond have no order in time.
    const both = [expect.objectContaining({ charged: 4 }), expect.objectContaining(found)];
    expect(listed).toMatchObject({ account_id: account, charges: expect.arrayContaining(both) });
    expect((await done(`account charges ${account} --limit 1`)).charges).toHaveLength(1);
  });

  test('of no call says so', async () => {
    const rejected = await admin(`charge ${randomUUID()}`);
    expect(rejected).toMatchObject({ status: 1 });
    expect(rejected.err).toContain('No charge has the request id');
    expect(await admin('charge pk_live_x')).toMatchObject({ status: 2 });
  });
});

describe('account show', () => {
  test('shows balance, purchases, and a year of usage by month and endpoint', async () => {
    const account = await newAccount('free');
    const { key_id } = await done(`key issue ${account}`);
    await done(`grant ${account} 5 --operation shown-1 --note gift`);
    const { ledger } = fixture.access;
    for (const amount of [3, 4]) {
      await charge(ledger, { account, keyId: key_id, amount, limit: 500 });
    }
    await drain(fixture.access);
    fixture.access.clock.setWall(new Date().toISOString());
    const shown = await done(`account show ${account}`);
    const sums = {
      month: expect.stringMatching(/^\d{4}-\d\d$/),
      calls: 2,
      charged: 7,
      purchased: 0,
    };
    expect(shown).toMatchObject({
      credits: { limit: 500, remaining: 498, used: 7, held: 0, purchased_left: 5 },
      purchases: [{ operation_id: 'shown-1', credits: 5, note: 'gift' }],
      usage_by_month: [sums],
      usage_by_endpoint: [{ ...sums, endpoint: '/funds' }],
    });
  });
});
