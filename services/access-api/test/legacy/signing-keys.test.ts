// Tests docs/spec/legacy-tokens.md 15.7.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  digestOf,
  generateApiKey,
  JWKS_PATH,
  publishedKey,
  readLegacyToken,
  signLegacyToken,
} from '@vcds/credentials';
import type { Service } from '@vcds/service-kit';
import { rotationPairs, type TestRsaKey, testClock, testFolder, testRsaKey } from '@vcds/test-kit';
import request from 'supertest';
import { openSigningKeys, parseSigningKeys } from '../../src/legacy/legacy-config.ts';
import { openAccess, startOn } from '../access.ts';
import { BASE, openFixture } from '../registration/fixture.ts';
import { basic, EXCHANGE, exchange } from './legacy.ts';

const [oldest, old, newest] = [testRsaKey(0), testRsaKey(1), testRsaKey(2)];
const privatePem = ({ pem }: TestRsaKey) => pem;
const publicPem = ({ publicKey }: TestRsaKey) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();
const idOf = ({ publicKey }: TestRsaKey) => publishedKey(publicKey).kid;

const folder = await testFolder('vcds-keys-');

describe('signing keys', () => {
  test('the first signs; all are published, including public keys after it', () => {
    const keys = parseSigningKeys(privatePem(newest) + privatePem(old) + publicPem(oldest));
    expect(keys.signing.equals(newest.privateKey)).toBe(true);
    expect(keys.published.map(({ kid }) => kid)).toEqual([newest, old, oldest].map(idOf));
    for (const key of keys.byId.values()) expect(key.type).toBe('public');
  });

  test('line ends may be written as \\n, as in an environment file', () => {
    const line = privatePem(newest).replaceAll('\n', '\\n');
    expect(parseSigningKeys(line).published).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['no PEM', 'nonsense', 'contains no key in PEM'],
    ['a public key first', publicPem(old), 'must begin with a private key'],
    [
      '1,024 bits',
      privatePem(testRsaKey('weak')),
      'must contain RSA keys of at least 2,048 bits; key 1 is not',
    ],
    [
      'an elliptic curve',
      privatePem(old) +
        generateKeyPairSync('ec', { namedCurve: 'P-256' })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      'must contain RSA keys of at least 2,048 bits; key 2 is not',
    ],
    [
      'damage',
      privatePem(old).replace(/M/g, 'A'),
      'must contain RSA keys of at least 2,048 bits; key 1 is not',
    ],
    [
      'the same key twice',
      privatePem(newest) + privatePem(old) + publicPem(newest),
      'must contain each key only once',
    ],
  ])('are rejected without their text in the error: %s', async (_, pem, fault) => {
    const opening = openSigningKeys({ LEGACY_SIGNING_KEY: pem });
    await expect(opening).rejects.toThrow(`LEGACY_SIGNING_KEY ${fault}`);
    await expect(opening).rejects.not.toThrow(pem.split('\n')[1] ?? pem);
  });

  test('may be in a file; both, or a missing file, is an error with the variable', async () => {
    const path = join(folder, 'keys.pem');
    await writeFile(path, privatePem(old));
    const keys = await openSigningKeys({ LEGACY_SIGNING_KEY_FILE: path });
    expect(keys?.published[0]?.kid).toBe(idOf(old));
    for (const config of [
      { LEGACY_SIGNING_KEY: privatePem(old), LEGACY_SIGNING_KEY_FILE: path },
      { LEGACY_SIGNING_KEY_FILE: join(folder, 'none') },
    ]) {
      await expect(openSigningKeys(config)).rejects.toThrow('LEGACY_SIGNING_KEY_FILE');
    }
  });

  test('the embedded default creates one, once for concurrent starts, only for its owner', async () => {
    const localDir = join(folder, 'local');
    const opened = await Promise.all(
      Array.from({ length: 3 }, () => openSigningKeys({ LOCAL_DIR: localDir })),
    );
    const ids = new Set(opened.map((keys) => keys?.published[0]?.kid));
    expect(ids.size).toBe(1);
    expect(await readdir(localDir)).toEqual(['legacy-signing-key.pem']);
    const path = join(localDir, 'legacy-signing-key.pem');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toContain('PRIVATE KEY');
    await writeFile(path, 'damaged');
    await expect(openSigningKeys({ LOCAL_DIR: localDir })).rejects.toThrow('LOCAL_DIR');
  });
});

describe('LEGACY_SIGNING_KEY is replaced without downtime', () => {
  const clock = testClock();
  const digest = digestOf(generateApiKey());
  const issued = (pem: string) => {
    const token = { tokenId: randomUUID(), accountId: 'account-1', digest };
    return signLegacyToken(token, parseSigningKeys(pem).signing, clock);
  };
  const readWith = (pem: string, token: string) =>
    readLegacyToken(token, (kid) => parseSigningKeys(pem).byId.get(kid), clock);
  const keys = { old: privatePem(old), fresh: privatePem(newest) };

  test.each(rotationPairs(keys, '\n'))('%s (%#)', async (_step, signing, verifying) => {
    const reading = await readWith(verifying, issued(signing));
    expect(reading).toMatchObject({ status: 'current', token: { digest } });
  });

  test('a token of a key that is dropped is not valid', async () => {
    expect(await readWith(keys.fresh, issued(keys.old))).toEqual({ status: 'foreign' });
  });
});

test('a token is valid while the key that signed it is published, and no longer', async () => {
  const first = await openFixture({ environment: { LEGACY_SIGNING_KEY: privatePem(old) } });
  const { accounts, redisUrl } = first.access;
  const accountId = await accounts.create({ plan: 'free' });
  const { apiKey } = await accounts.issueKey({ accountId, origin: 'operator' });
  const { token } = (await exchange(first, basic(apiKey))).body;
  const ask = async (pem: string) => {
    const other = await openFixture({ environment: { LEGACY_SIGNING_KEY: pem }, redisUrl });
    const answer = await request(other.app).get(`${BASE}/usage`).query({ token });
    return [answer.status, answer.body.error?.reason];
  };
  // The others know the token from Redis; of the account they only lack the journal's word.
  expect((await request(first.app).get(`${BASE}/usage`).query({ token })).status).toBe(200);
  const rotated = await ask(privatePem(newest) + publicPem(old));
  expect(rotated).toEqual([200, undefined]);
  expect(await ask(privatePem(newest))).toEqual([401, 'unknown']);
});

describe('access-api', () => {
  const lines: string[] = [];
  const start = async (environment: NodeJS.ProcessEnv) =>
    startOn(await openAccess(), environment, lines);
  const at = (service: Service, listener: 'public' | 'internal') =>
    request(`http://127.0.0.1:${service.ports[listener]}`);

  test('publishes its keys on both listeners, and exchanges on the public one', async () => {
    const service = await start({ LEGACY_SIGNING_KEY: privatePem(newest) + publicPem(old) });
    for (const listener of ['public', 'internal'] as const) {
      const { body } = await at(service, listener).get(JWKS_PATH);
      expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual([idOf(newest), idOf(old)]);
    }
    expect((await at(service, 'public').post(EXCHANGE)).status).toBe(400);
    expect((await at(service, 'internal').post(EXCHANGE)).status).toBe(404);
    await service.stop();
    expect(lines.join('')).not.toContain('PRIVATE');
  });

  test('without a key has no exchange, logs it at start, and rejects tokens', async () => {
    const service = await start({});
    expect((await at(service, 'public').post(EXCHANGE)).status).toBe(404);
    expect((await at(service, 'public').get(JWKS_PATH)).status).toBe(404);
    const answer = await at(service, 'public').get('/api/v1/usage').query({ token: 'a.b.c' });
    expect([answer.status, answer.body.error.reason]).toEqual([401, 'unknown']);
    await service.stop();
    expect(lines.join('')).toContain('LEGACY_SIGNING_KEY is not set');
  });

  test('does not start with a key that cannot be used', async () => {
    await expect(start({ LEGACY_SIGNING_KEY: 'nonsense' })).rejects.toThrow('LEGACY_SIGNING_KEY');
  });
});
