// Tests docs/spec/legacy-tokens.md 15.3.
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { testClock, testRsaKey } from '@vcds/test-kit';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import {
  digestOf,
  generateApiKey,
  LEGACY_TOKEN_SECONDS,
  parseKeySet,
  publishedKey,
  readLegacyToken,
  signLegacyToken,
} from '../src/index.ts';

const pair = testRsaKey();
const { kid } = publishedKey(pair.publicKey);
const clock = testClock();
const nowSeconds = () => Math.floor(clock.wallMs() / 1000);
const input = {
  tokenId: randomUUID(),
  accountId: randomUUID(),
  digest: digestOf(generateApiKey()),
};

const find = (name: string): KeyObject | undefined => (name === kid ? pair.publicKey : undefined);
const read = (text: string) => readLegacyToken(text, find, clock);

/** The claims of a good token, changed. */
function claims(changes: object = {}): object {
  return {
    iss: 'vcds-access-api',
    aud: 'vcds',
    sub: input.accountId,
    jti: input.tokenId,
    key: input.digest,
    iat: nowSeconds(),
    exp: nowSeconds() + LEGACY_TOKEN_SECONDS,
    ...changes,
  };
}

function signed(changes: object = {}, key = pair.privateKey, header: object = {}): string {
  return jwt.sign(JSON.parse(JSON.stringify(claims(changes))), key, {
    algorithm: 'RS256',
    header: { alg: 'RS256', kid, ...header },
  });
}

const part = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('a token of the older exchange', () => {
  test('reads back as it was signed, for an hour, and is known when it is over', async () => {
    const own = testClock();
    const text = signLegacyToken(input, pair.privateKey, own);
    expect(jwt.decode(text, { complete: true })?.header).toEqual({ alg: 'RS256', typ: 'JWT', kid });
    const expiresAt = new Date(Math.floor(own.wallMs() / 1000) * 1000 + 3_600_000);
    const token = { ...input, expiresAt };
    expect(await readLegacyToken(text, find, own)).toEqual({ status: 'current', token });
    own.advance(LEGACY_TOKEN_SECONDS * 1000 - 1);
    expect(await readLegacyToken(text, find, own)).toEqual({ status: 'current', token });
    own.advance(1);
    expect(await readLegacyToken(text, find, own)).toEqual({ status: 'expired', token });
  });

  test('the same claims signed by hand are accepted, so that the claims cause the errors below', async () => {
    expect((await read(signed())).status).toBe('current');
  });

  const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const unsigned = `${part({ alg: 'none', kid })}.${part(claims())}`;
  const hmac = `${part({ alg: 'HS256', kid })}.${part(claims())}`;
  test.each<[string, string]>([
    ['alg none', `${unsigned}.`],
    ['alg none with something for a signature', `${unsigned}.c2ln`],
    ['alg None', `${part({ alg: 'None', kid })}.${part(claims())}.`],
    [
      'HS256 under the public key',
      `${hmac}.${createHmac('sha256', publicPem).update(hmac).digest('base64url')}`,
    ],
    ['RS512', jwt.sign(claims(), pair.privateKey, { algorithm: 'RS512', keyid: kid })],
    ['PS256', jwt.sign(claims(), pair.privateKey, { algorithm: 'PS256', keyid: kid })],
    ["another's key under our kid", signed({}, testRsaKey(1).privateKey)],
    ['a kid that is not published', signed({}, pair.privateKey, { kid: 'other' })],
    ['no kid', signed({}, pair.privateKey, { kid: undefined })],
    ['a kid that is no text', signed({}, pair.privateKey, { kid: 7 })],
    ['another issuer', signed({ iss: 'someone' })],
    ['no issuer', signed({ iss: undefined })],
    ['another audience', signed({ aud: 'elsewhere' })],
    ['no jti', signed({ jti: undefined })],
    ['a jti that is no UUID', signed({ jti: '*' })],
    ['no key', signed({ key: undefined })],
    ['a key that is no digest', signed({ key: 'pk_live_x' })],
    ['no subject', signed({ sub: undefined })],
    ['a life of two hours', signed({ exp: nowSeconds() + 2 * LEGACY_TOKEN_SECONDS })],
    ['a life without end', signed({ exp: undefined })],
    ['made in the future', signed({ iat: nowSeconds() + 60, exp: nowSeconds() + 120 })],
    ['a changed payload', signed().replace(/\.[^.]+\./, `.${part(claims({ sub: 'x' }))}.`)],
    ['no JSON', `${part('{')}.${part('{')}.c2ln`],
    ['null for a header', `${part('null')}.${part(claims())}.c2ln`],
    ['one part', 'abc'],
    ['nothing', ''],
  ])('is foreign: %s', async (_, text) => {
    expect(await read(text)).toEqual({ status: 'foreign' });
  });

  test('no text at all makes reading fail, and none passes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), fc.string(), async (a, b, c) => {
        const header = part({ alg: 'RS256', kid, extra: a });
        for (const text of [`${a}.${b}.${c}`, `${header}.${part(b)}.${part(c)}`]) {
          expect(await read(text)).toEqual({ status: 'foreign' });
        }
      }),
    );
  });

  test('a failed look-up of a key is not an invalid token: the error is passed on', async () => {
    const away = async () => Promise.reject(new Error('away'));
    await expect(readLegacyToken(signed(), away, clock)).rejects.toThrow('away');
  });
});

describe('a published set of keys', () => {
  const entry = publishedKey(pair.publicKey);

  test('holds public parts alone, under the thumbprint of RFC 7638', () => {
    expect(Object.keys(entry).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(publishedKey(pair.privateKey)).toEqual(entry);
    const set = parseKeySet(JSON.stringify({ keys: [entry] }));
    expect([...set.keys()]).toEqual([kid]);
    expect(set.get(kid)?.equals(pair.publicKey)).toBe(true);
  });

  test('an example of RFC 7638 §3.1 has the thumbprint given there', () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJ' +
      'ECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2' +
      'QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh' +
      '6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
    const kidThere = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';
    const keys = [{ kty: 'RSA', use: 'sig', alg: 'RS256', e: 'AQAB', n, kid: kidThere }];
    expect(parseKeySet(JSON.stringify({ keys })).has(kidThere)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['another kind', { ...entry, kty: 'oct' }],
    ['for encryption', { ...entry, use: 'enc' }],
    ['another algorithm', { ...entry, alg: 'HS256' }],
    ['the name of another', { ...entry, kid: 'x' }],
    ['no modulus', { ...entry, n: undefined }],
    ['nonsense', { ...entry, n: '!' }],
    ['1,024 bits', shortKey()],
    ['null', null],
  ])('leaves out a key that is %s', (_, each) => {
    const set = parseKeySet(JSON.stringify({ keys: [each, entry] }));
    expect([...set.keys()]).toEqual([kid]);
  });

  test.each(['', '[]', '{}', '{"keys":{}}', 'null'])('%p is no set', (text) => {
    expect(() => parseKeySet(text)).toThrow();
  });

  test('a key that cannot sign is not published', () => {
    expect(() => publishedKey(testRsaKey('weak').publicKey)).toThrow('2048 bits');
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => publishedKey(publicKey)).toThrow('RSA key');
  });

  function shortKey(): object {
    const { n = '', e = '' } = testRsaKey('weak').publicKey.export({ format: 'jwk' });
    return { ...entry, n, e };
  }
});
