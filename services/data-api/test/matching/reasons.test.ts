import { describe, expect, test } from '@jest/globals';
import { FACTOR_OF, FACTORS, FEATURES } from '@vcds/matching';
import type { Fact } from '../../src/matching/facts.ts';
import { reasonText } from '../../src/matching/reason-text.ts';
import { raisedBy, reasonsOf } from '../../src/matching/reasons.ts';

test('every factor has features', () => {
  expect(new Set(FEATURES.map((feature) => FACTOR_OF.get(feature)))).toEqual(
    new Set([...FACTORS, undefined]),
  );
});

test('the contributions of one factor are one reason, by their share of all that raised the score', () => {
  const contributions = [
    { feature: 'tagLift', logit: 0.5 },
    { feature: 'tagLift', logit: 0.25 },
    { feature: 'homeCity', logit: 0.25 },
    { feature: 'countryLift', logit: -2 },
    { feature: 'ageLift', logit: 1 },
  ];
  const fact = (factor: string): Fact => ({ kind: 'home', country: factor });
  expect(reasonsOf(raisedBy(contributions), fact)).toEqual([
    { factor: 'tag', weight: 0.375, fact: fact('tag') },
    { factor: 'home', weight: 0.125, fact: fact('home') },
  ]);
  const same: Fact = { kind: 'tenure', year: 2001 };
  expect(reasonsOf(raisedBy(contributions), () => same)).toEqual([
    { factor: 'tag', weight: 0.375, fact: same },
  ]);
  expect(reasonsOf(raisedBy(contributions), () => undefined)).toEqual([]);
});

describe('a fact is one sentence', () => {
  test.each<[Fact, string]>([
    [{ kind: 'activity', count: 1, since: 2020 }, 'Invested in 1 company since 2020'],
    [
      { kind: 'companies', count: 1_234, since: 2020, tag: 'Fintech', place: 'United Kingdom' },
      'Invested in 1,234 Fintech companies in the United Kingdom since 2020',
    ],
    [
      { kind: 'rounds', stage: 3, count: 14, led: 14, since: 2023, tag: 'AI', place: 'Germany' },
      'Led 14 Seed rounds of AI companies in Germany since 2023',
    ],
    [
      { kind: 'rounds', stage: 4, count: 9, led: 2, since: 2019, place: 'Germany' },
      'Took part in 9 Series A rounds of companies in Germany since 2019 and led 2 of them',
    ],
    [
      { kind: 'amount', count: 3, since: 2023, fromUsd: 500_000, toUsd: 2_000_000 },
      'Took part in 3 rounds of $500,000 to $2,000,000 since 2023',
    ],
    [{ kind: 'partner', partner: 7, count: 6 }, 'Invested in 6 companies together with Fund 7'],
    [{ kind: 'recency', day: 20_000 }, 'Invested last on 2024-10-04'],
    [{ kind: 'home', country: 'Germany', city: 'Berlin' }, 'Is based in Berlin, Germany'],
  ])('%j', (fact, text) => {
    const nameOf = (investor: number) => `Fund ${investor}`;
    expect(reasonText(fact, 'fund', nameOf)).toBe(text);
    expect(reasonText(fact, 'startup', nameOf)).toBe(
      `The fund ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
    );
  });
});
