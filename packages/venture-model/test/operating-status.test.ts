import { describe, expect, test } from '@jest/globals';
import {
  addObservation,
  CONDITIONS,
  type Condition,
  conditionOf,
  type InferredStatus,
  isRecentRound,
  type Observation,
  type ObservationSummary,
  type OperatingStatus,
  observationAddress,
  observedStatus,
  operatingStatusOf,
  type SocialCondition,
  socialCondition,
} from '../src/index.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 5, 1, 3);
const day = (number: number) => new Date(START_MS + number * DAY_MS);

type Step = readonly [on: number, state: Observation['state'], posted?: number];

function summaryOf(kind: Observation['kind'], steps: readonly Step[]) {
  return steps.reduce<ObservationSummary | undefined>((summary, [on, state, posted]) => {
    const lastPostAt = posted === undefined ? null : day(posted);
    return addObservation(summary, { kind, state, seenAt: day(on), lastPostAt });
  }, undefined);
}

type Row = readonly [
  guarantee: string,
  kind: Observation['kind'],
  steps: readonly Step[],
  at: number,
  condition: Condition,
];

const ROWS: readonly Row[] = [
  ['no observation', 'site', [], 0, 'unknown'],
  ['a site alive', 'site', [[0, 'alive']], 0, 'active'],
  ['a site alive less than a year ago', 'site', [[0, 'alive']], 364.9, 'active'],
  ['a site alive a year ago', 'site', [[0, 'alive']], 365, 'unknown'],
  ['one failed observation of a site never seen alive', 'site', [[0, 'dead']], 900, 'unknown'],
  [
    'one failed observation after life',
    'site',
    [
      [0, 'alive'],
      [1, 'dead'],
    ],
    1,
    'active',
  ],
  [
    'a parked page once',
    'site',
    [
      [0, 'alive'],
      [1, 'parked'],
    ],
    1,
    'active',
  ],
  [
    'many failures of one day',
    'site',
    [
      [0, 'dead'],
      [0.1, 'dead'],
      [0.2, 'dead'],
    ],
    90,
    'unknown',
  ],
  [
    'two days of failures',
    'site',
    [
      [0, 'dead'],
      [14, 'dead'],
    ],
    14,
    'unknown',
  ],
  [
    'three days within less than two weeks',
    'site',
    [
      [0, 'dead'],
      [1, 'dead'],
      [13.9, 'dead'],
    ],
    99,
    'unknown',
  ],
  [
    'three days over two weeks',
    'site',
    [
      [0, 'dead'],
      [1, 'dead'],
      [14, 'dead'],
    ],
    14,
    'gone',
  ],
  [
    'time adds no failures',
    'site',
    [
      [0, 'dead'],
      [1, 'dead'],
    ],
    500,
    'unknown',
  ],
  [
    'life starts the count again',
    'site',
    [
      [0, 'dead'],
      [1, 'dead'],
      [2, 'alive'],
      [14, 'dead'],
    ],
    14,
    'active',
  ],
  [
    'a return',
    'site',
    [
      [0, 'dead'],
      [1, 'dead'],
      [14, 'dead'],
      [15, 'alive'],
    ],
    15,
    'active',
  ],
  [
    'gone stays, whatever time passes',
    'site',
    [
      [0, 'dead'],
      [1, 'dead'],
      [14, 'dead'],
    ],
    5000,
    'gone',
  ],
  [
    'parked on two days over a week',
    'site',
    [
      [0, 'parked'],
      [7, 'parked'],
    ],
    7,
    'gone',
  ],
  [
    'parked on two days within a week',
    'site',
    [
      [0, 'parked'],
      [6.9, 'parked'],
    ],
    7,
    'unknown',
  ],
  [
    'dead, then parked',
    'site',
    [
      [0, 'dead'],
      [7, 'parked'],
    ],
    7,
    'gone',
  ],
  ['a site with a recent post', 'site', [[0, 'alive', -10]], 0, 'active'],
  ['a site without a post for a year', 'site', [[0, 'alive', -365]], 0, 'quiet'],
  ['a site without a post for almost a year', 'site', [[0, 'alive', -364.9]], 0, 'active'],
  ['silence that was not observed', 'site', [[0, 'alive', -179]], 186, 'active'],
  ['silence by time alone', 'site', [[0, 'alive', -180]], 185, 'quiet'],
  ['an account with a recent post', 'social', [[0, 'alive', -10]], 0, 'active'],
  ['an account without a post', 'social', [[0, 'alive']], 0, 'unknown'],
  ['an account quiet for a year', 'social', [[0, 'alive', -365]], 0, 'quiet'],
  ['an account quiet by time alone', 'social', [[0, 'alive', -180]], 185, 'quiet'],
  ['an account not seen since its post', 'social', [[0, 'alive', 0]], 365, 'unknown'],
  [
    'a failed observation of a posting account',
    'social',
    [
      [0, 'alive', -10],
      [1, 'dead'],
    ],
    1,
    'active',
  ],
  [
    'a deleted account',
    'social',
    [
      [0, 'dead'],
      [7, 'dead'],
      [14, 'dead'],
    ],
    14,
    'gone',
  ],
  [
    'a page that no longer shows its newest post',
    'social',
    [
      [0, 'alive', -5],
      [1, 'alive', -300],
      [2, 'alive'],
    ],
    2,
    'active',
  ],
];

test.each(ROWS)('%s', (_, kind, steps, at, condition) => {
  expect(conditionOf(summaryOf(kind, steps), day(at))).toBe(condition);
});

/** The table of docs/spec/resources.md 4.14. */
const CELLS: readonly (readonly [Condition, SocialCondition, InferredStatus | null])[] = [
  ['active', 'active', 'Active'],
  ['active', 'quiet', 'Active'],
  ['active', 'unknown', 'Active'],
  ['quiet', 'active', 'Active'],
  ['quiet', 'quiet', 'ProbablyClosed'],
  ['quiet', 'unknown', null],
  ['gone', 'active', 'Active'],
  ['gone', 'quiet', 'ProbablyClosed'],
  ['gone', 'unknown', 'ProbablyClosed'],
  ['unknown', 'active', 'Active'],
  ['unknown', 'quiet', null],
  ['unknown', 'unknown', null],
];

test.each(CELLS)('site %s, accounts %s: %s', (site, social, status) => {
  expect(observedStatus(site, social)).toBe(status);
});

test('the most active account counts, in any order', () => {
  const ranks: Readonly<Record<Condition, number>> = { active: 2, quiet: 1, gone: 1, unknown: 0 };
  const byRank: readonly SocialCondition[] = ['unknown', 'quiet', 'active'];
  expect(socialCondition([])).toBe('unknown');
  for (const one of CONDITIONS) {
    expect(socialCondition([one])).toBe(byRank[ranks[one]]);
    for (const other of CONDITIONS) {
      expect(socialCondition([one, other])).toBe(byRank[Math.max(ranks[one], ranks[other])]);
    }
  }
});

describe('the three rules', () => {
  const inferences: readonly (InferredStatus | null)[] = [null, 'Active', 'ProbablyClosed'];
  const stated: readonly OperatingStatus[] = ['Active', 'ProbablyClosed', 'Closed'];
  const inputs = inferences.flatMap((observed) =>
    inferences.flatMap((inferred) =>
      [false, true].map((hasRecentRound) => ({ observed, inferred, hasRecentRound })),
    ),
  );

  test('a status that a person set is never overridden', () => {
    for (const status of stated) {
      for (const input of inputs) {
        expect(operatingStatusOf({ ...input, stated: status })).toBe(status);
      }
    }
  });

  test('otherwise the inference counts, except in the three months after a round', () => {
    for (const input of inputs) {
      const inference = input.observed === null ? input.inferred : input.observed;
      const isKept = inference === 'ProbablyClosed' && input.hasRecentRound;
      expect(operatingStatusOf({ ...input, stated: null })).toBe(isKept ? 'Active' : inference);
    }
  });

  test.each([
    ['2026-05-31T23:59:59.999Z', '2026-02-28', false],
    ['2026-05-31T00:00:00.000Z', '2026-03-01', true],
    ['2026-03-15T12:00:00.000Z', '2025-12-15', false],
    ['2026-03-15T12:00:00.000Z', '2025-12-16', true],
    ['2028-05-30T12:00:00.000Z', '2028-02-29', false],
    ['2026-01-01T00:00:00.000Z', '2026-01-01', true],
  ])('at %s a round of %s is recent: %s', (at, round, recent) => {
    expect(isRecentRound(new Date(round), new Date(at))).toBe(recent);
    expect(isRecentRound(null, new Date(at))).toBe(false);
  });
});

test.each([
  ['site', 'https://www.Acme.com/about?x=1', 'acme.com'],
  ['site', 'acme.com', 'acme.com'],
  ['social', 'https://www.LinkedIn.com/company/Acme/?trk=x#top', 'linkedin.com/company/acme'],
  ['social', 'https://twitter.com/Acme', 'x.com/acme'],
  ['social', 'https://youtube.com/channel/UCaB', 'youtube.com/channel/UCaB'],
  ['site', 'https://', null],
] as const)('the address of the %s %s is %s', (kind, url, address) => {
  expect(observationAddress(kind, url)).toBe(address);
});
