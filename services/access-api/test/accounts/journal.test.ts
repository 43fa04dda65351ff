// Tests docs/spec/authentication.md 2.6.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bucketOfAccount, digestOf } from '@vcds/credentials';
import pg from 'pg';
import { createAccounts } from '../../src/accounts/account.ts';
import { openDatabase } from '../../src/accounts/database.ts';
import { addKey, newKey } from '../../src/accounts/key.ts';
import { openStores } from '../../src/accounts/stores.ts';
import { openAccess } from '../access.ts';

const access = await openAccess();

const events = async (accountId: string) =>
  access.database.event.findMany({ where: { accountId }, orderBy: { position: 'asc' } });

describe('the journal', () => {
  test('records every change of an account, in order', async () => {
    const id = await access.accounts.create({ email: 'ada@example.com', plan: 'free' });
    const { keyId } = await access.accounts.issueKey({
      accountId: id,
      origin: 'operator',
      scopes: ['companies'],
      expiresInSeconds: 60,
    });
    await access.accounts.setPlan(id, 'growth');
    await access.accounts.revokeKey(keyId);
    const recorded = await events(id);
    expect(recorded.map(({ kind }) => kind)).toEqual([
      'account_created',
      'key_issued',
      'plan_changed',
      'key_revoked',
    ]);
    expect(recorded[1]).toMatchObject({ keyId, detail: { scopes: ['companies'] } });
    expect(recorded[2]?.detail).toEqual({ from: 'free', to: 'growth' });
  });

  test('a change that changes nothing is no event', async () => {
    const id = await access.accounts.create({ plan: 'free' });
    const { keyId } = await access.accounts.issueKey({ accountId: id, origin: 'operator' });
    await access.accounts.setPlan(id, 'free');
    await access.accounts.revokeKey(keyId);
    await access.accounts.revokeKey(keyId);
    expect((await events(id)).map(({ kind }) => kind)).toEqual([
      'account_created',
      'key_issued',
      'key_revoked',
    ]);
  });

  test('positions of a bucket rise without gaps however many write at once', async () => {
    const id = await access.accounts.create({ plan: 'free' });
    const bucket = bucketOfAccount(id);
    const before = (await access.history.positions())[bucket] ?? 0;
    const issues = Array.from({ length: 16 }, () =>
      access.accounts.issueKey({ accountId: id, origin: 'operator' }),
    );
    await Promise.all(issues);
    expect((await access.history.findAccount({ id }))?.keys).toHaveLength(16);
    expect((await access.history.positions())[bucket]).toBe(before + 16);
    expect((await access.mirror.positions())[bucket]).toBe(before + 16);
  });

  test('rejects a duplicate address, also in concurrent transactions', async () => {
    const create = () => access.accounts.create({ email: 'two@example.com', plan: 'free' });
    const outcomes = await Promise.allSettled([create(), create(), create()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(create()).rejects.toMatchObject({ name: 'JournalError' });
  });

  test('rejects changes of accounts and keys that do not exist', async () => {
    const accountId = randomUUID();
    const issue = access.accounts.issueKey({ accountId, origin: 'operator' });
    await expect(issue).rejects.toMatchObject({ name: 'JournalError' });
    await expect(access.accounts.setPlan(accountId, 'scale')).rejects.toThrow('does not exist');
    await expect(access.accounts.revokeKey(randomUUID())).rejects.toThrow('No key');
  });

  test('leaves nothing behind of a change that fails half-way', async () => {
    const id = await access.accounts.create({ plan: 'free' });
    const { key } = newKey({ accountId: id, origin: 'operator' }, access.clock);
    const before = await access.history.positions();
    const change = access.journal.change(id, async (change) => {
      await addKey(change, key);
      throw new Error('half-way');
    });
    await expect(change).rejects.toThrow('half-way');
    expect(await access.history.positions()).toEqual(before);
    expect(await access.history.findKey({ id: key.id })).toBeNull();
  });
});

describe('the database itself', () => {
  test('keeps the past: events can be neither changed nor deleted', async () => {
    await access.accounts.create({ plan: 'free' });
    for (const statement of ["UPDATE access.event SET kind = 'x'", 'DELETE FROM access.event']) {
      await expect(access.owner.query(statement)).rejects.toThrow('append-only');
      const asService = access.database.$executeRawUnsafe(statement);
      await expect(asService).rejects.toThrow('permission denied');
    }
  });

  test('keeps a revoked key revoked, for every writer', async () => {
    const id = await access.accounts.create({ plan: 'free' });
    const { keyId } = await access.accounts.issueKey({ accountId: id, origin: 'operator' });
    await access.accounts.revokeKey(keyId);
    const revival = access.database.apiKey.update({
      where: { id: keyId },
      data: { revokedAt: null },
    });
    await expect(revival).rejects.toThrow('stays revoked');
  });

  test('holds no key, only digests', async () => {
    const id = await access.accounts.create({ plan: 'free' });
    const { apiKey } = await access.accounts.issueKey({ accountId: id, origin: 'operator' });
    const rows = await access.database.$queryRaw<{ text: string }[]>`
      SELECT to_jsonb(k)::text AS text FROM access.api_key k
      UNION ALL SELECT to_jsonb(e)::text FROM access.event e`;
    const everything = rows.map(({ text }) => text).join('\n');
    expect(everything).toContain(digestOf(apiKey));
    expect(everything).not.toContain(apiKey.slice(0, 20));
  });

  test('is not used in another time zone, as sessions of a pooler may have', async () => {
    const url = new URL(access.databaseUrl);
    url.searchParams.set('options', '-c timezone=America/New_York');
    const database = openDatabase(url.href);
    await expect(database.account.count()).rejects.toThrow('is America/New_York, not UTC');
    await database.$disconnect();
  });

  test('stores and returns instants unchanged in every time zone of the database', async () => {
    const sql = access.owner;
    const name = pg.escapeIdentifier(new URL(access.databaseUrl).pathname.slice(1));
    await sql.query(`ALTER DATABASE ${name} SET timezone = 'America/New_York'`);
    const stores = openStores(access.databaseUrl, access.redis, access.clock);
    const { database } = stores;
    try {
      const id = await createAccounts(stores).create({ plan: 'free' });
      const createdAt = new Date(access.clock.wallMs());
      const { rows } = await sql.query('SELECT created_at FROM access.account WHERE id = $1', [id]);
      expect(rows).toEqual([{ created_at: createdAt }]);
      await sql.query('UPDATE access.account SET created_at = $1 WHERE id = $2', [createdAt, id]);
      expect(await database.account.findUnique({ where: { id } })).toMatchObject({ createdAt });
    } finally {
      await database.$disconnect();
    }
  });
});
