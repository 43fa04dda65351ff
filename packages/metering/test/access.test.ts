// Tests docs/spec/plans.md 13.1, 13.2, 13.4.
import { describe, expect, test } from '@jest/globals';
import { type PlanId, SCOPES } from '@vcds/credentials';
import { entitled, PLANS, RATE_CARD, type RateCardEntry } from '@vcds/metering';

describe('entitlement', () => {
  test('the free plan reaches everything but snapshots, live look-ups and matching', () => {
    const rejected = RATE_CARD.filter((entry) => !entitled('free', null, entry.scope).allowed);
    const files = '/snapshots/{snapshot}/{file}';
    expect(rejected.map((entry) => entry.path)).toEqual([files, '/find', '/venturematching']);
  });

  test('the starter plan reaches everything but snapshots, a larger one every endpoint', () => {
    const allowed = (plan: PlanId, { scope }: RateCardEntry) => entitled(plan, null, scope).allowed;
    for (const entry of RATE_CARD) {
      expect(allowed('starter', entry)).toBe(entry.scope !== 'snapshots');
      for (const plan of ['growth', 'scale'] as const) expect(allowed(plan, entry)).toBe(true);
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
