// Tests docs/spec/activity.md 21.3.
import { describe, expect, test } from '@jest/globals';
import { stages } from '@vcds/venture-model';
import { type ActivityFacts, activityTitle, dollars } from '../../src/activity/titles.ts';

const titleOf = (type: string, facts: Partial<ActivityFacts>) =>
  activityTitle(type, { name: 'Lichenbench', urls: [], ...facts });
const round = (facts: Partial<ActivityFacts>) => titleOf('round.recorded', facts);
const stageOf = (name: string) => Number(stages.find((stage) => stage.name === name)?.value);
const SEED = { amount: 3_900_000, stage: stageOf('Seed') };
const investors = (count: number, led = false) => ({
  ...{ count, led, names: ['Acme Ventures', 'Beta Capital'].slice(0, count) },
});

describe('the title of a round', () => {
  test.each([
    [SEED, 'raised a $3.9M Seed'],
    [{ ...SEED, amount: 8_000_000 }, 'raised an $8M Seed'],
    [{ ...SEED, amount: null }, 'raised a Seed round (amount undisclosed)'],
    [{ ...SEED, amount: 0 }, 'raised a $0 Seed'],
    [{ amount: 3_900_000 }, 'raised $3.9M'],
    [{ amount: null }, 'raised a round (amount undisclosed)'],
    [{ amount: 5_000, series: 'Bridge' }, 'raised a $5K Bridge round'],
    [{ amount: null, series: 'extension round' }, 'raised an extension round (amount undisclosed)'],
    [{ amount: 2e9, stage: stageOf('SeriesF') }, 'raised a $2B Series F'],
    [{ amount: null, stage: stageOf('SeriesF') }, 'raised a Series F (amount undisclosed)'],
    [{ amount: 11e6, stage: stageOf('Angel') }, 'raised an $11M Angel round'],
    [{ amount: null, stage: stageOf('Angel') }, 'raised an Angel round (amount undisclosed)'],
    [{ amount: 1e6, stage: stageOf('Debt') }, 'raised $1M in debt'],
    [{ amount: 1e6, stage: stageOf('Grant') }, 'received a $1M grant'],
    [{ amount: 1e6, stage: stageOf('Other') }, 'raised $1M'],
    [
      { amount: 1e6, stage: stageOf('Other'), series: 'Token sale' },
      'raised a $1M Token sale round',
    ],
    [{ ...SEED, investors: investors(0) }, 'raised a $3.9M Seed'],
    [{ ...SEED, investors: investors(1) }, 'raised a $3.9M Seed from Acme Ventures'],
    [
      { ...SEED, investors: investors(2) },
      'raised a $3.9M Seed from Acme Ventures and Beta Capital',
    ],
    [
      { ...SEED, investors: investors(400) },
      'raised a $3.9M Seed from Acme Ventures and 399 others',
    ],
    [{ ...SEED, investors: investors(4, true) }, 'raised a $3.9M Seed led by Acme Ventures'],
    [
      { ...SEED, amount: null, investors: investors(1) },
      'raised a Seed round from Acme Ventures (amount undisclosed)',
    ],
  ])('%j', (facts, title) => {
    expect(round(facts)).toBe(`Lichenbench ${title}`);
  });

  test.each(stages.map(({ name, value }) => [name, Number(value)] as const))(
    'states the amount and a verb for the stage %s',
    (_name, stage) => {
      expect(round({ stage, amount: 18_500_000 })).toMatch(
        /^Lichenbench (raised|received|had) (an )?\$18\.5M( [A-Za-z- ]+)?$/,
      );
      expect(round({ stage, amount: null })).toMatch(
        /^Lichenbench (raised|received|had) [A-Za-z- ]+( \(series unknown\))? \(amount undisclosed\)$/,
      );
    },
  );
});

test.each([
  ['valuation.recorded', { amount: 40e6 }, 'Lichenbench was valued at $40M'],
  [
    'valuation.recorded',
    { amount: 40e6, estimated: true },
    'Lichenbench was valued at an estimated $40M',
  ],
  ['valuation.recorded', { amount: null }, 'Lichenbench was valued at an undisclosed amount'],
  ['portfolio.company_added', { object: 'Moss' }, 'Lichenbench added Moss to its portfolio'],
  ['portfolio.exit_recorded', { object: 'Moss', status: 'Exited' }, 'Lichenbench exited Moss'],
  [
    'portfolio.exit_recorded',
    { object: 'Moss', status: 'Acquired' },
    'Lichenbench exited Moss in an acquisition',
  ],
  ['startup.added', {}, 'Startup added: Lichenbench'],
  ['fund.added', {}, 'Fund added: Lichenbench'],
  ['team.person_added', { object: '李 小龍' }, '李 小龍 joined Lichenbench'],
  ['team.person_added', { object: 'Ada', title: 'Partner' }, 'Ada joined Lichenbench as Partner'],
  ['news.mention', { object: ' A  year\nwith Moss ' }, 'A year with Moss'],
] as const)('%s %j', (type, facts, title) => {
  expect(titleOf(type, facts)).toBe(title);
});

test('long names are cut between characters, and names in any script are kept', () => {
  const name = '👩‍👩‍👧'.repeat(90);
  expect(round({ name, ...SEED })).toBe(`${'👩‍👩‍👧'.repeat(79)}… raised a $3.9M Seed`);
  expect(round({ name: '👩‍👩‍👧'.repeat(80), ...SEED })).toContain('👩‍👩‍👧 raised');
  expect(round({ name: 'شركة الاختبار', ...SEED })).toBe('شركة الاختبار raised a $3.9M Seed');
  expect(titleOf('news.mention', { object: 'x'.repeat(2_000) })).toHaveLength(300);
});

test.each([
  [0, '$0'],
  [1, '$1'],
  [999, '$999'],
  [1_000, '$1K'],
  [250_400, '$250K'],
  [999_499, '$999K'],
  [999_500, '$1M'],
  [12_345_678, '$12.3M'],
  [1_000_000_000, '$1B'],
  [1_234_000_000_000_000, '$1230T'],
])('%i dollars are %s', (amount, text) => {
  expect(dollars(amount)).toBe(text);
});
