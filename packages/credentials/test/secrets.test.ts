import { describe, expect, test } from '@jest/globals';
import { ROTATION, rotationPairs, testClock } from '@vcds/test-kit';
import {
  createServiceTokenSigner,
  parseSecrets,
  ServiceTokenError,
  secretsVariable,
  verifyServiceToken,
} from '../src/index.ts';

const { fresh, old } = ROTATION;
const PARTIES = { issuer: 'data-api', audience: 'access-api' };

describe('the secrets of a variable', () => {
  const { accepts } = secretsVariable('for tests');

  test.each([old, `${fresh},${old}`, ` ${fresh} , ${old} `])('%s are accepted', (text) => {
    expect(accepts(text)).toBe(true);
    expect(parseSecrets(text)).toEqual(text.split(',').map((secret) => secret.trim()));
  });

  test.each([
    ['nothing', ''],
    ['a short one', old.slice(0, 31)],
    ['a short one before a long one', `short,${old}`],
    ['a short one after a long one', `${old},short`],
    ['an empty one at the end', `${old},`],
    ['an empty one in between', `${fresh},,${old}`],
    ['space in place of characters', `${old.slice(0, 20)}${' '.repeat(20)}`],
    ['one repeated character', 'a'.repeat(64)],
    ['seven different characters', 'abcdefg'.repeat(8)],
    ['the same one twice', `${old}, ${old}`],
  ])('%s is rejected without its text in the error', (_what, text) => {
    expect(accepts(text)).toBe(false);
    expect(() => parseSecrets(text)).toThrow(RangeError);
    expect(() => parseSecrets(text)).not.toThrow(old.slice(0, 8));
  });
});

describe('SERVICE_TOKEN_SECRET is replaced without downtime', () => {
  const clock = testClock();
  const tokenOf = (secrets: string) => createServiceTokenSigner(secrets, PARTIES, clock)();

  test.each(rotationPairs())('%s: %s calls %s', (_step, caller, called) => {
    expect(() => verifyServiceToken(tokenOf(caller), called, PARTIES, clock)).not.toThrow();
  });

  test('the first secret signs, and one that is dropped is rejected', () => {
    for (const [signing, verifying] of [
      [old, fresh],
      [fresh, old],
      [`${fresh},${old}`, old],
      [`${old},${fresh}`, fresh],
    ] as const) {
      const token = tokenOf(signing);
      expect(() => verifyServiceToken(token, verifying, PARTIES, clock)).toThrow(ServiceTokenError);
    }
  });
});
