// Tests docs/spec/authentication.md 2.7.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { testClock } from '@vcds/test-kit';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { createServiceTokenSigner, ServiceTokenError, verifyServiceToken } from '../src/index.ts';

const SECRET = 'a-current-secret-of-enough-characters';
const PARTIES = { issuer: 'data-api', audience: 'access-api' };

describe('a service token', () => {
  test('signed by one service is accepted by the other, for a minute', () => {
    const clock = testClock();
    const token = createServiceTokenSigner(SECRET, PARTIES, clock)();
    expect(() => verifyServiceToken(token, SECRET, PARTIES, clock)).not.toThrow();
    clock.advance(59_000);
    expect(() => verifyServiceToken(token, SECRET, PARTIES, clock)).not.toThrow();
    clock.advance(10_000);
    expect(() => verifyServiceToken(token, SECRET, PARTIES, clock)).toThrow('expired');
  });

  test('is reused for half its life and never older, whichever way the clock is set', () => {
    const clock = testClock();
    const sign = createServiceTokenSigner(SECRET, PARTIES, clock);
    const first = sign();
    clock.advance(29_000);
    expect(sign()).toBe(first);
    clock.advance(2_000);
    const second = sign();
    expect(second).not.toBe(first);
    clock.setWall('2024-06-01T00:00:00Z');
    expect(() => verifyServiceToken(sign(), SECRET, PARTIES, clock)).not.toThrow();
  });

  test('is accepted after any change of the clock', () => {
    const near = fc.integer({ min: -90, max: 90 });
    const steps = fc.array(fc.oneof(near, fc.integer({ min: -86_400, max: 86_400 })), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(steps, (offsetsSeconds) => {
        const clock = testClock();
        const sign = createServiceTokenSigner(SECRET, PARTIES, clock);
        sign();
        for (const offsetSeconds of offsetsSeconds) {
          clock.setWall(new Date(clock.wallMs() + offsetSeconds * 1000).toISOString());
          expect(() => verifyServiceToken(sign(), SECRET, PARTIES, clock)).not.toThrow();
        }
      }),
      { examples: [[[-20]]] },
    );
  });

  const clock = testClock();
  const iat = clock.wallMs() / 1000;
  const sign = (claims: object, options: jwt.SignOptions = {}, secret = SECRET): string =>
    jwt.sign(
      { iat, exp: iat + 60, iss: PARTIES.issuer, aud: PARTIES.audience, ...claims },
      secret,
      options,
    );

  // The library does not sign claims of the wrong type.
  const handmade = (claims: object): string => {
    const all = { iat, exp: iat + 60, iss: PARTIES.issuer, aud: PARTIES.audience, ...claims };
    const text = [{ alg: 'HS256', typ: 'JWT' }, all]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
  };
  test('a token made by hand with the claims of the signer is accepted', () => {
    expect(() => verifyServiceToken(handmade({}), SECRET, PARTIES, clock)).not.toThrow();
  });

  test.each([
    ['another audience', sign({ aud: 'data-api' })],
    ['another issuer', sign({ iss: 'worker' })],
    ['a life above a minute', sign({ exp: iat + 61 })],
    ['no expiry', jwt.sign({ iat, iss: PARTIES.issuer, aud: PARTIES.audience }, SECRET)],
    ['an instant of issue that is a text', handmade({ iat: String(iat) })],
    ['an instant of issue that is a list', handmade({ iat: [iat] })],
    ['no instant of issue', handmade({ iat: undefined })],
    ['an expiry that is a text', handmade({ exp: String(iat + 60) })],
    ['a day in the future', sign({ iat: iat + 86_400, exp: iat + 86_460 })],
    ['a signature with another secret', sign({}, {}, 'somebody-elses-secret-of-enough-characters')],
    ['another algorithm', sign({}, { algorithm: 'HS512' })],
    ['no algorithm', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    ['no token at all', ''],
    ['garbage', 'a.b.c'],
  ])('with %s is rejected', (_what, token) => {
    const verify = () => verifyServiceToken(token, SECRET, PARTIES, clock);
    expect(verify).toThrow(ServiceTokenError);
  });
});
