import { describe, expect, test } from '@jest/globals';
import { accountKeys } from '@vcds/credentials';
import request from 'supertest';
import { createJournal } from '../../src/accounts/journal.ts';
import { grantCredits } from '../../src/accounts/purchase.ts';
import { revokeAccount } from '../../src/admin/revoke-account.ts';
import { adminOf } from '../admin/admin.ts';
import { charge } from '../credits/spending.ts';
import { BASE, drain, openFixture } from '../registration/fixture.ts';
import { basic, exchange, loginsOf, newUser, PASSWORD } from './legacy.ts';

const fixture = await openFixture();

/** An account of every kind the operator can make, after something was spent. */
async function populate() {
  const { access } = fixture;
  const { ledger } = access;
  const user = await newUser(access);
  const key = await access.accounts.issueKey({ accountId: user.accountId, origin: 'operator' });
  const grant = { operationId: `invoice of ${user.userName}`.replaceAll(' ', '-'), credits: 60 };
  await grantCredits(access, { ...grant, accountId: user.accountId });
  const spending = { account: user.accountId, keyId: key.keyId, limit: 100_000 };
  await charge(ledger, { ...spending, amount: 100_000 });
  await charge(ledger, { ...spending, amount: 7 });
  await drain(access);
  const replaced = await newUser(access);
  await loginsOf(access).set(replaced.accountId, replaced.userName, `${PASSWORD}!`);
  const ended = await newUser(access);
  const endedKey = await access.accounts.issueKey({ ...ended, origin: 'operator' });
  await revokeAccount(access, ended.accountId);
  return { user, key, replaced, ended, endedKey };
}

async function expectAsBefore({
  user,
  key,
  replaced,
  ended,
  endedKey,
}: Awaited<ReturnType<typeof populate>>) {
  const opens = async (name: string, password = ''): Promise<number> =>
    (await exchange(fixture, basic(name, password))).status;
  expect(await opens(user.userName, PASSWORD)).toBe(200);
  expect(await opens(replaced.userName, PASSWORD)).toBe(401);
  expect(await opens(replaced.userName, `${PASSWORD}!`)).toBe(200);
  expect(await opens(ended.userName, PASSWORD)).toBe(401);
  expect(await opens(endedKey.apiKey)).toBe(401);
  const { token } = (await exchange(fixture, basic(user.userName, PASSWORD))).body;
  const answer = await request(fixture.app).get(`${BASE}/usage`).query({ token });
  expect(answer.body).toMatchObject({ limit: 100_000, remaining: 53 });
  const { redis, ledger } = fixture.access;
  expect(await redis.smembers(accountKeys(ended.accountId).revoked)).toHaveLength(2);
  const spending = { account: user.accountId, keyId: key.keyId, limit: 100_000 };
  expect(await charge(ledger, { ...spending, amount: 54 })).toBe('exhausted');
  const late = { ...spending, account: ended.accountId, keyId: endedKey.keyId, amount: 1 };
  expect(await charge(ledger, late)).toBe('revoked');
}

describe('after Redis was wiped', () => {
  test('admin rebuild restores passwords, purchases, what was spent, and every revocation', async () => {
    const before = await populate();
    await expectAsBefore(before);
    const { token } = (await exchange(fixture, basic(before.user.userName, PASSWORD))).body;
    await fixture.access.redis.flushdb();
    const { status, out } = await adminOf(fixture.access, 'rebuild');
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ healed_buckets: 256 });
    await expectAsBefore(before);
    // Tokens are for an hour, and not journaled: the credentials give a new one.
    const old = await request(fixture.app).get(`${BASE}/usage`).query({ token });
    expect([old.status, old.body.error.reason]).toEqual([401, 'unknown']);
  });

  test('a running service restores purchases with the accounts, before the ledger is healed', async () => {
    const before = await populate();
    await fixture.access.redis.flushdb();
    await fixture.access.guard.audit();
    await drain(fixture.access);
    await expectAsBefore(before);
  });

  test('a purchase journaled by a writer that died is brought along by the next audit', async () => {
    const { access } = fixture;
    const { accountId } = await newUser(access);
    const { ledger, database, clock } = access;
    const mirror = () => Promise.reject(new Error('died'));
    const journal = createJournal({ database, clock, mirror, announce: mirror });
    const purchase = { operationId: `died-${accountId}`, accountId, credits: 9 };
    await expect(grantCredits({ journal }, purchase)).rejects.toThrow('died');
    const purchased = async (): Promise<number> => {
      const answer = await ledger.balance(accountId, 100_000);
      return answer.status === 'known' ? answer.balance.purchased : Number.NaN;
    };
    expect(await purchased()).toBe(0);
    await access.guard.audit();
    expect(await purchased()).toBe(9);
  });
});

test('the journal never deletes a purchase', async () => {
  const { access } = fixture;
  const { accountId } = await newUser(access);
  await grantCredits(access, { operationId: `kept-${accountId}`, accountId, credits: 1 });
  const statement = 'DELETE FROM access.purchase WHERE account_id = $1';
  await expect(access.owner.query(statement, [accountId])).rejects.toThrow('append-only');
  const asService = access.database.purchase.deleteMany({ where: { accountId } });
  await expect(asService).rejects.toThrow('permission denied');
});
