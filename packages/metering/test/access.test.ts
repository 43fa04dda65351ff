// Tests docs/spec/plans.md 13.1, 13.2, 13.4.
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '@vcds/credentials';
import { entitled, PLANS, RATE_CARD } from '@vcds/metering';

describe('entitlement', () => {
  test('the free plan reaches everything but live look-ups and matching', () => {
    const rejected = RATE_CARD.filter((entry) => !entitled('free', null, entry.scope).allowed);
    expect(rejected.map((entry) => entry.path)).toEqual(['/find', '/venturematching']);
  });

  test('every other plan reaches every endpoint', () => {
    for (const plan of ['starter', 'growth', 'scale'] as const) {
      expect(RATE_CARD.every((entry) => entitled(plan, null, entry.scope).allowed)).toBe(true);
    }
  });

  test('what the plan forbids is said before what the key forbids', () => {
    expect(entitled('free', new Set(['companies']), 'find')).toEqual({
      allowed: false,
      scope: 'find',
      forbiddenBy: 'plan',
      message: 'The Free plan does not include find; Starter, Growth, Scale do.',
      plans: ['starter', 'growth', 'scale'],
    });
  });

  test('the error for a narrowed key lists its scopes', () => {
    expect(entitled('scale', new Set(['news', 'companies']), 'rounds')).toMatchObject({
      allowed: false,
      forbiddenBy: 'key',
      message: expect.stringContaining('restricted to companies, news and does not include rounds'),
    });
    expect(entitled('scale', new Set(), 'rounds')).toMatchObject({ forbiddenBy: 'key' });
  });

  test('the error for a key without scopes says so', () => {
    expect(entitled('scale', new Set(), 'rounds')).toMatchObject({
      message: expect.stringContaining('restricted to no scopes and does not include rounds'),
    });
  });

  test('the rate card needs no scope, so every key reads it', () => {
    expect(entitled('free', new Set(), null)).toEqual({ allowed: true });
  });

  test('plans have no prototype and each names only scopes there are', () => {
    expect(Object.getPrototypeOf(PLANS)).toBeNull();
    for (const plan of Object.values(PLANS)) {
      expect(SCOPES).toEqual(expect.arrayContaining([...plan.entitlements]));
    }
  });
});
