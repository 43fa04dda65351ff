/** The laws of plausibility of docs/demonstration-data.md. Stages are numbers of the closed list. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { atLength } from '@vcds/test-kit';
import { datasetLines } from '../src/dataset.ts';
import { DAY_MS } from '../src/days.ts';
import { type Company, type Market, marketOf } from './support/market.ts';

const TODAY = '2026-01-01';
/** Startups of each block that show a headcount bucket. */
const isShownBucket = ({ index }: Company) => index % 300 >= 22 && index % 300 < 31;
/** Stages of the ladder, from pre-seed to series H. */
const ladderOf = ({ rounds }: Company): number[] =>
  rounds.flatMap(({ stage }) => (stage > 0 && stage <= 11 ? stage : []));
const isFalling = (values: readonly number[], factor = 1): boolean =>
  values.some((value, at) => value < (values[at - 1] ?? 0) * factor);
const dollarsOf = (items: readonly { readonly dollars: number | null }[]): number[] =>
  items.flatMap(({ dollars }) => dollars ?? []);
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

const DATASETS = [
  [3_000, 2],
  [3_000, 3],
  [6_000, 1],
] as const;

describe.each(DATASETS.slice(0, atLength(1, 3)))(
  'a data set of %i startups, seed %i',
  (startups, seed) => {
    let market: Market;
    beforeAll(() => {
      market = marketOf(datasetLines({ startups, seed }));
    });

    /** A law for some items of the market, of which there are enough; shows the first exceptions. */
    function law<Item>(
      title: string,
      select: () => readonly Item[],
      isBroken: (item: Item) => boolean,
    ): void {
      test(title, () => {
        expect(select().length).toBeGreaterThan(30);
        expect(select().filter(isBroken).slice(0, 5)).toEqual([]);
      });
    }
    const companies = () => market.companies;
    const severalRounds = () => companies().filter(({ rounds }) => rounds.length > 1);
    const stating = (field: string) => () =>
      companies().filter(({ profile }) => (profile[field] ?? null) !== null);
    const investments = (type: string) => () =>
      market.investments.filter((each) => each.type === type);
    const funded = () =>
      stating('MembersCount')().filter((each) => each.rounds.length > 0 && !isShownBucket(each));

    law('no round before the founding, none in the future', companies, ({ profile, rounds }) => {
      const [first, last] = [rounds[0]?.day ?? TODAY, rounds.at(-1)?.day ?? ''];
      const founded = Number(profile.Founded ?? 0);
      return Number(first.slice(0, 4)) < founded || last >= TODAY || founded > 2025;
    });

    law('stages of the ladder, pre-seed to series H, never decrease', severalRounds, (company) =>
      isFalling(ladderOf(company)),
    );

    law(
      'other stages: grants early, growth late, no venture round after a buyout',
      severalRounds,
      ({ rounds }) => {
        const [early, late] = [new Set([12, 16, 17, 18, 22]), new Set([13, 19, 21])];
        const numbers = rounds.map(({ stage }) => stage);
        return numbers.some((stage, at) => {
          const before = numbers.slice(0, at);
          const top = Math.max(0, ...before.filter((each) => each <= 11));
          if (before.includes(14) || before.includes(21)) return stage <= 13;
          // The stage of a round between them may be unknown.
          return (
            (early.has(stage) && top > 3) || (late.has(stage) && top < 6 && !before.includes(0))
          );
        });
      },
    );

    law('two rounds are at least eight months apart', severalRounds, ({ rounds }) => {
      const days = rounds.map(({ day }) => Date.parse(day) / DAY_MS);
      return days.some((day, at) => day - (days[at - 1] ?? Number.NEGATIVE_INFINITY) < 240);
    });

    law('a later stage raises more, or only slightly less', severalRounds, ({ rounds }) =>
      isFalling(dollarsOf(rounds.filter(({ stage }) => stage >= 3 && stage <= 11)), 0.4),
    );

    law(
      'a round sells 2 % to 34 % of the company',
      () =>
        companies().flatMap(({ key, rounds, valuations }) =>
          valuations.flatMap(({ round, dollars }) => {
            const amount = rounds.find((each) => each.key === round)?.dollars ?? null;
            return amount === null || dollars === null ? [] : [{ key, share: amount / dollars }];
          }),
        ),
      ({ share }) => share < 0.02 || share > 0.34,
    );

    law(
      'a valuation exceeds the money raised by then, and the latest one the total',
      () => companies().filter(({ valuations }) => valuations.length > 0),
      ({ profile, rounds, valuations, raised }) => {
        const raisedBy = (day: string) => sum(dollarsOf(rounds.filter((each) => each.day <= day)));
        const latest = Number(dollarsOf(valuations).at(-1));
        return (
          latest < Math.max(raised, Number(profile.TotalRaised ?? 0)) * 1.1 ||
          valuations.some(
            (each) => each.dollars !== null && each.dollars < raisedBy(each.day) * 1.15,
          )
        );
      },
    );

    law(
      'a valuation is at least two thirds of the one before',
      () => companies().filter(({ valuations }) => valuations.length > 1),
      ({ valuations }) => isFalling(dollarsOf(valuations), 0.66),
    );

    law(
      'a stated total is at least the sum of the rounds',
      stating('TotalRaised'),
      ({ profile, raised, isAllDisclosed }) => {
        const total = Number(profile.TotalRaised);
        return total < raised || (isAllDisclosed && total > raised * 1.4);
      },
    );

    law(
      'headcounts are plausible for the money raised',
      funded,
      ({ profile, raised, isAllDisclosed }) => {
        const perHead = raised / Number(profile.MembersCount);
        return (isAllDisclosed && perHead < 1_500) || perHead > 5e6;
      },
    );

    test('headcounts correlate with the money raised, and grow by stage in the median', () => {
      const headcounts = (of: readonly Company[]) =>
        of.map(({ profile }) => Number(profile.MembersCount));
      const medians = [1, 3, 4, 5, 6, 7].map((stage) => {
        const ofStage = headcounts(funded().filter(({ rounds }) => rounds.at(-1)?.stage === stage));
        return Number(ofStage.sort((a, b) => a - b)[Math.floor(ofStage.length / 2)]);
      });
      expect(isFalling(medians)).toBe(false);
      expect(Number(medians.at(-1))).toBeGreaterThan(20 * Number(medians[0]));
      const known = funded().filter(({ isAllDisclosed }) => isAllDisclosed);
      const raised = known.map((company) => company.raised);
      expect(rankCorrelation(raised, headcounts(known))).toBeGreaterThan(0.75);
    });

    law(
      'an expected next stage is later than the last stage',
      stating('NextFundingStage'),
      (company) => {
        const next = Number(company.profile.NextFundingStage);
        return next <= 11 && next <= Math.max(0, ...ladderOf(company));
      },
    );

    law(
      'a fund invests after its founding and before it closes',
      investments('fund'),
      ({ day, investor }) => {
        const fund = market.funds.get(investor);
        const isYoung = Number(fund?.Founded ?? 0) > Number(day.slice(0, 4));
        return isYoung || (fund?.OperatingStatus === 'Closed' && day > '2024-01-01');
      },
    );

    law(
      'people do not invest in companies that they founded',
      investments('person'),
      ({ founders, investor }) => founders.has(investor),
    );

    law(
      'an exit is later than the investment, and no investment follows it',
      () => {
        const days = new Map<string, string>();
        for (const { company, day, investor } of market.investments) {
          const pair = `${investor} ${company.key}`;
          if (day > (days.get(pair) ?? '')) days.set(pair, day);
        }
        return market.exits.map((exit) => {
          return { ...exit, lastInvestment: days.get(`${exit.fund} ${exit.company}`) ?? '' };
        });
      },
      ({ day, lastInvestment }) => lastInvestment > day,
    );

    law(
      'a closed company has raised nothing for a year',
      () => companies().filter(({ profile }) => profile.OperatingStatus === 'Closed'),
      ({ rounds }) => (rounds.at(-1)?.day ?? '') > '2025-01-01',
    );
  },
);

test('people do not invest in companies that they founded, even if there are few investors', () => {
  const own = Array.from({ length: atLength(12, 60) }, (_, seed) =>
    marketOf(datasetLines({ startups: 60, seed })).investments.filter(({ founders, investor }) =>
      founders.has(investor),
    ),
  );
  expect(own.flat()).toEqual([]);
});

/** Spearman's coefficient; equal values have successive ranks. */
function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const ranks = (values: readonly number[]) => {
    const order = values.map((_, at) => at).sort((a, b) => Number(values[a]) - Number(values[b]));
    const ranked = new Array<number>(values.length);
    for (const [rank, at] of order.entries()) ranked[at] = rank;
    return ranked;
  };
  const [a, b] = [ranks(one), ranks(other)];
  const squares = sum(a.map((rank, at) => (rank - Number(b[at])) ** 2));
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1));
}
