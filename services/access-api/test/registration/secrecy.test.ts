// Tests docs/spec/registration.md 3.8, 3.10.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ROTATION, rotationPairs } from '@vcds/test-kit';
import request from 'supertest';
import type { EmailAddress } from '../../src/registration/email-address.ts';
import { parseLink } from '../../src/registration/link.ts';
import { createMailSource, type PendingMail } from '../../src/registration/mail-source.ts';
import type { RegistrationId } from '../../src/registration/redis-keys.ts';
import { createRegistrationStore } from '../../src/registration/registration-store.ts';
import { createRegistrationSecrets, randomCode } from '../../src/registration/secrets.ts';
import { type Access, CODE_SECRET } from '../access.ts';
import { Person } from '../pages/person.ts';
import { redisContents } from '../redis-contents.ts';
import {
  ACCESS_URL,
  BASE,
  newAddress,
  newClient,
  open,
  openFixture,
  proofIn,
  verify,
  wrong,
} from './fixture.ts';

/** Every key of a Redis with all that is in it, as text and as Redis stores it. */
async function dump({ redis }: Access): Promise<string> {
  const texts = [JSON.stringify(await redisContents(redis))];
  for (const key of await redis.keys('*')) {
    texts.push((await redis.dumpBuffer(key))?.toString('latin1') ?? '');
  }
  return texts.join('\n');
}

describe('what is kept and what is logged', () => {
  test('neither Redis nor the log holds an address or a client in the clear', async () => {
    const fixture = await openFixture();
    const { app, access } = fixture;
    const client = newClient();
    const addresses: string[] = [];
    for (let i = 0; i < 6; i++) {
      const mail = await open(fixture, `someone.${i}@private-${i}.example`);
      addresses.push(mail.to, ...mail.to.split('@'));
      await verify(fixture, { request_id: mail.registrationId, code: wrong(mail.code) }, client);
      if (i % 2 === 0) await new Person(app, client).post(new URL(mail.linkUrl).pathname);
      const query = { email: mail.to, code: mail.code };
      await request(app).get(`${BASE}/auth/verify`).query(query);
    }
    const [redis, log] = [await dump(access), access.log()];
    expect(log).toContain('"route":"/account/sign-in/:link"');
    for (const secret of [...addresses, client]) {
      for (const text of [redis, log]) expect(text).not.toContain(secret);
    }
  });

  test('the message of a registration is encrypted in Redis, and removed when it is used', async () => {
    const fixture = await openFixture();
    const { redis } = fixture.access;
    const mail = await open(fixture);
    const [key = ''] = await redis.keys(`*registration:${mail.registrationId}`);
    expect(await redis.hexists(key, 'mail')).toBe(1);
    await verify(fixture, proofIn(mail));
    expect(await redis.hexists(key, 'mail')).toBe(0);
  });

  test('another secret, or an encrypted message of another registration, cannot be decrypted', async () => {
    const fixture = await openFixture();
    const { redis, clock } = fixture.access;
    const [one, two] = [await open(fixture), await open(fixture)];
    const foreign = createRegistrationSecrets(`${CODE_SECRET}!`);
    await expect(
      createMailSource(redis, foreign, clock).load(one.registrationId),
    ).rejects.toThrow();
    const [from = ''] = await redis.keys(`*registration:${one.registrationId}`);
    const [to = ''] = await redis.keys(`*registration:${two.registrationId}`);
    await redis.hset(to, 'mail', (await redis.hget(from, 'mail')) ?? '');
    await expect(fixture.mail.load(two.registrationId)).rejects.toThrow();
  });
});

describe('CODE_SECRET is replaced without downtime', () => {
  const { old, fresh } = ROTATION;
  let access: Access;
  beforeAll(async () => {
    access = (await openFixture()).access;
  });

  /** The parts of a process that has these secrets. */
  function processWith(list: string) {
    const { redis, clock } = access;
    const secrets = createRegistrationSecrets(list);
    const store = createRegistrationStore({ redis, secrets, clock, accessPublicUrl: ACCESS_URL });
    const mails = createMailSource(redis, secrets, clock);
    return {
      store,
      mails,
      open: async (to = newAddress() as EmailAddress): Promise<PendingMail> => {
        const opened = await store.open(to);
        const mail = 'id' in opened ? await mails.load(opened.id) : undefined;
        if (mail === undefined) throw new Error('The registration was not opened.');
        return mail;
      },
      byCode: async ({ to, code }: PendingMail) =>
        (await store.tryCode({ address: to as EmailAddress }, code, true)).outcome,
      byId: async ({ registrationId, code }: PendingMail) =>
        (await store.tryCode({ id: registrationId as RegistrationId }, code, true)).outcome,
      byLink: async ({ linkUrl }: PendingMail) => {
        const link = parseLink(linkUrl.split('/').at(-1) ?? '');
        if (link === undefined) throw new Error('The link is malformed.');
        return [await store.isLinkOpen(link), await store.useLink(link)];
      },
    };
  }

  test.each(rotationPairs())('%s: %s opens registrations, %s serves them', async (_, a, b) => {
    const [writing, reading] = [processWith(a), processWith(b)];
    const mail = await writing.open();
    expect(await reading.mails.load(mail.registrationId)).toEqual(mail);
    expect(await reading.store.addressOf(mail.registrationId as RegistrationId)).toBe(mail.to);
    expect(await reading.byCode({ ...mail, code: wrong(mail.code) })).toBe('wrong_code');
    expect(await reading.byCode(mail)).toBe('granted');
    expect(await reading.byId(await writing.open())).toBe('granted');
    expect(await reading.byLink(await writing.open())).toEqual([true, true]);
  });

  test('a code belongs to the newest open registration of an address', async () => {
    const orders = [
      [`${old},${fresh}`, `${fresh},${old}`],
      [`${fresh},${old}`, `${old},${fresh}`],
    ] as const;
    for (const [a, b] of orders) {
      const [before, after] = [processWith(a), processWith(b)];
      const first = await before.open();
      access.clock.advance(1_000);
      const second = await after.open(first.to as EmailAddress);
      for (const each of [before, after]) {
        const code = second.code === first.code ? wrong(first.code) : first.code;
        expect(await each.byCode({ ...first, code })).toBe('wrong_code');
      }
      expect(await before.byCode(second)).toBe('granted');
      expect(await before.byCode(first)).toBe('granted');
    }
  });

  test('what a dropped secret protected cannot be used or read', async () => {
    const [before, after] = [processWith(old), processWith(fresh)];
    const mail = await before.open();
    await expect(after.mails.load(mail.registrationId)).rejects.toThrow('known secret');
    expect(await after.byCode(mail)).toBe('invalid_or_expired');
    expect(await after.byId(mail)).toBe('wrong_code');
    expect(await after.byLink(mail)).toEqual([false, false]);
  });
});

describe('secrets', () => {
  const secrets = createRegistrationSecrets(CODE_SECRET);

  test('digests differ by purpose, by registration and by secret', () => {
    const digests = [
      secrets.digest('code', 'a', '123456'),
      secrets.digest('link', 'a', '123456'),
      secrets.digest('code', 'b', '123456'),
      secrets.digest('code', 'a1', '23456'),
      createRegistrationSecrets('another-secret-of-enough-characters').digest(
        'code',
        'a',
        '123456',
      ),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('encryption is reversible, never repeats, and detects changes', () => {
    const encrypted = secrets.encrypt('täxt', 'context');
    expect(secrets.decrypt(encrypted, 'context')).toBe('täxt');
    expect(secrets.encrypt('täxt', 'context')).not.toBe(encrypted);
    expect(() => secrets.decrypt(encrypted, 'other')).toThrow();
    const bytes = Buffer.from(encrypted, 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(() => secrets.decrypt(bytes.toString('base64'), 'context')).toThrow();
    expect(() => secrets.decrypt('', 'context')).toThrow();
  });

  test('codes are six digits, leading zeros among them', () => {
    const codes = Array.from({ length: 3_000 }, randomCode);
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(2_900);
  });
});
