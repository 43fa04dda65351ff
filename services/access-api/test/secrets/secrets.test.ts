// Tests docs/spec/authentication.md 2.3.
// Tests docs/spec/registration.md 3.1, 3.10.
// Tests docs/spec/operations.md 16.6.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiKey, digestOf } from '@vcds/credentials';
import { findCode, findSecret, type Places, scanPostgres, scanRedis } from './scans.ts';
import { OPERATOR_SECRETS, openStack, type SecretsStack } from './stack.ts';
import { goTheWholeWay, type Way } from './way.ts';

let stack: SecretsStack;
let way: Way;
let places: Places;

beforeAll(async () => {
  stack = await openStack();
  way = await goTheWholeWay(stack);
  places = new Map([
    ...(await scanRedis(stack.redis.url)),
    ...(await scanPostgres(stack.database.url)),
    ['the log', stack.output()],
  ]);
}, 180_000);
afterAll(() => stack.close(), 60_000);

describe('after the whole way, by every form of credential, right and wrong', () => {
  test('the way was gone: keys, tokens, links, codes and passwords are what they should be', () => {
    expect(way.secrets.filter((secret) => /^pk_live_\w{49}$/.test(secret))).toHaveLength(3);
    expect(way.secrets.filter((secret) => /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(secret))).toHaveLength(
      2,
    );
    expect(way.secrets.length).toBeGreaterThanOrEqual(9);
    for (const secret of way.secrets) expect(secret.length).toBeGreaterThanOrEqual(16);
    for (const code of way.codes) expect(code).toMatch(/^\d{6}$/);
  });

  test('every place was searched: each contains the expected data', () => {
    const digests = way.secrets
      .filter((secret) => secret.startsWith('pk_live_'))
      .map((key) => digestOf(key as ApiKey));
    for (const digest of digests) {
      const found = findSecret(digest, places).join('\n');
      expect(found).toContain('Redis file');
      expect(found).toContain(`Redis key {m:${digest.slice(0, 2)}}:owner:${digest}`);
      expect(found).toContain('PostgreSQL table access.api_key');
    }
    for (const accountId of way.accountIds) {
      const found = findSecret(accountId, places).join('\n');
      expect(found).toContain('the log');
      expect(found).toContain('PostgreSQL table access.charge');
    }
    const names = [...places.keys()].join('\n');
    for (const name of ['.aof', '{mail}:', 'registration:', 'access.login', 'slow log']) {
      expect(names).toContain(name);
    }
  });

  test('no key, token, password, link or session is anywhere in the clear, nor in base64', () => {
    const found = way.secrets.flatMap((secret) => findSecret(secret, places));
    expect(found).toEqual([]);
  });

  test('nor is the part of a key or token that makes it secret', () => {
    const parts = way.secrets.flatMap((secret) => {
      if (secret.startsWith('pk_live_')) return [secret.slice(12)];
      return secret.startsWith('eyJ') ? secret.split('.').slice(1) : [];
    });
    expect(parts).toHaveLength(3 + 2 * 2);
    expect(parts.flatMap((part) => findSecret(part, places))).toEqual([]);
  });

  test('no code is anywhere by itself', () => {
    expect(way.codes.flatMap((code) => findCode(code, places))).toEqual([]);
  });

  test('none of the operator’s own secrets is', () => {
    const lines = stack.signingKey.split('\n').filter((line) => line.length === 64);
    expect(lines.length).toBeGreaterThan(20);
    const secrets = [...Object.values(OPERATOR_SECRETS), ...lines];
    expect(secrets.flatMap((secret) => findSecret(secret, places))).toEqual([]);
  });

  test('the search finds what is there: planted in a text, each form is seen', () => {
    const [key = ''] = way.secrets;
    const [code = ''] = way.codes;
    const planted = (text: string): Places => new Map([['here', text]]);
    for (const text of [`a ${key} b`, `x${Buffer.from(`${key}:`).toString('base64')}y`]) {
      expect(findSecret(key, planted(text))).toEqual(['here']);
    }
    for (const text of [`"code":"${code}"`, `code=${code}&x`, `${code}`, `\n${code}\r`]) {
      expect(findCode(code, planted(text))).toEqual(['here']);
    }
    expect(findCode(code, planted(`1${code}`))).toEqual([]);
  });
});
