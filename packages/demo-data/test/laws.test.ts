/** The laws of plausibility of docs/demonstration-data.md. Stages are numbers of the closed list. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateDataset } from '../src/dataset.ts';
import { type Company, type Market, marketOf, type Round } from './support/market.ts';

const TODAY = '2026-01-01';
const DAY_MS = 86_400_000;
/** Startups of each block that show a headcount bucket. */
const isShownBucket = ({ index }: Company) => index % 300 >= 22 && index % 300 < 31;

describe.each([
  [6_000, 1],
  [3_000, 2],
  [3_000, 3],
])('a data set of %i startups, seed %i', (startups, seed) => {
  let market: Market;
  beforeAll(() => {
    market = marketOf([...generateDataset({ startups, seed, today: TODAY })]);
  });

  /** Fails with the first few items that break a law, or if there are too few items. */
  const holds = <Item>(items: readonly Item[], broken: (item: Item) => string | false) => {
    expect(items.length).toBeGreaterThan(30);
    const faults = items.flatMap((item) => broken(item) || []);
    expect(faults.slice(0, 5)).toEqual([]);
  };
  const pairs = () =>
    market.companies.flatMap(({ key, rounds }) =>
      rounds.slice(1).map((round, at) => ({ key, before: rounds[at] as Round, round })),
    );

  test('no round before the founding, none in the future', () => {
    holds(market.companies, ({ key, profile, rounds }) => {
      const [first, last] = [rounds[0]?.day ?? TODAY, rounds.at(-1)?.day ?? ''];
      const founded = Number(profile.Founded ?? 0);
      return (Number(first.slice(0, 4)) < founded || last >= TODAY || founded > 2025) && key;
    });
  });

  test('stages of the ladder, pre-seed to series H, never decrease', () => {
    holds(
      market.companies.filter(({ rounds }) => rounds.length > 1),
      ({ key, rounds }) => {
        const rungs = rounds.flatMap(({ stage }) => (stage !== null && stage <= 11 ? [stage] : []));
        return rungs.some((rung, at) => rung < (rungs[at - 1] ?? 0)) && `${key}: ${rungs}`;
      },
    );
  });

  test('other stages: grants early, growth late, no venture round after a buyout', () => {
    const [early, late] = [new Set([12, 16, 17, 18, 22]), new Set([13, 19, 21])];
    holds(
      market.companies.filter(({ rounds }) => rounds.length > 1),
      ({ key, rounds }) => {
        const numbers = rounds.map(({ stage }) => stage ?? 0);
        const broken = numbers.some((stage, at) => {
          const top = Math.max(0, ...numbers.slice(0, at).filter((each) => each <= 11));
          const isAfterBuyout = numbers.slice(0, at).some((each) => each === 14 || each === 21);
          // The stage of a round between them may be unknown.
          const isUnsure = numbers.slice(0, at).includes(0);
          if (isAfterBuyout) return stage <= 13;
          return (early.has(stage) && top > 3) || (late.has(stage) && top < 6 && !isUnsure);
        });
        return broken && `${key}: ${numbers}`;
      },
    );
  });

  test('two rounds are at least eight months apart', () => {
    holds(pairs(), ({ key, before, round }) => {
      const days = (Date.parse(round.day) - Date.parse(before.day)) / DAY_MS;
      return days < 240 && `${key}: ${before.day}, ${round.day}`;
    });
  });

  test('a later stage raises more, or only slightly less', () => {
    holds(
      market.companies.filter(({ rounds }) => rounds.length > 1),
      ({ key, rounds }) => {
        const steps = rounds.filter(
          ({ stage, dollars }) => stage !== null && stage >= 3 && stage <= 11 && dollars !== null,
        );
        const fallen = steps.slice(1).some(({ dollars }, at) => {
          return Number(dollars) < Number(steps[at]?.dollars) * 0.4;
        });
        return fallen && `${key}: ${steps.map(({ dollars }) => dollars)}`;
      },
    );
  });

  test('a round sells 2 % to 34 % of the company', () => {
    const priced = market.companies.flatMap(({ key, rounds, valuations }) =>
      valuations.flatMap(({ round, dollars }) => {
        const amount = rounds.find((each) => each.key === round)?.dollars ?? null;
        return amount === null || dollars === null ? [] : [{ key, share: amount / dollars }];
      }),
    );
    holds(priced, ({ key, share }) => (share < 0.02 || share > 0.34) && `${key}: ${share}`);
  });

  test('a valuation exceeds the money raised by then, and the latest one the total', () => {
    const valued = market.companies.filter(({ valuations }) => valuations.length > 0);
    holds(valued, ({ key, profile, rounds, valuations }) => {
      const raisedBy = (day: string) =>
        rounds
          .filter((round) => round.day <= day)
          .reduce((sum, { dollars }) => sum + (dollars ?? 0), 0);
      const isLow = valuations.some(
        ({ day, dollars }) => dollars !== null && dollars < raisedBy(day) * 1.15,
      );
      const known = valuations.filter(({ dollars }) => dollars !== null);
      const total = Math.max(raisedBy(TODAY), Number(profile.TotalRaised ?? 0));
      const latest = Number(known.at(-1)?.dollars);
      return (isLow || latest < total * 1.1) && `${key}: ${latest} of ${total}`;
    });
  });

  test('a valuation is at least two thirds of the one before', () => {
    const valued = market.companies.filter(({ valuations }) => valuations.length > 1);
    holds(valued, ({ key, valuations }) => {
      const known = valuations.flatMap(({ dollars }) => dollars ?? []);
      return known.some((value, at) => value < (known[at - 1] ?? 0) * 0.66) && `${key}: ${known}`;
    });
  });

  test('a stated total is at least the sum of the rounds', () => {
    const stated = market.companies.filter(({ profile }) => (profile.TotalRaised ?? null) !== null);
    holds(stated, ({ key, profile, rounds }) => {
      const sum = rounds.reduce((total, { dollars }) => total + (dollars ?? 0), 0);
      const total = Number(profile.TotalRaised);
      const isAllKnown = rounds.every(({ dollars }) => dollars !== null);
      return (total < sum || (isAllKnown && total > sum * 1.4)) && `${key}: ${total} of ${sum}`;
    });
  });

  test('headcounts correlate with the money raised, and grow by stage in the median', () => {
    const funded = market.companies.filter(
      (company) =>
        company.rounds.length > 0 &&
        typeof company.profile.MembersCount === 'number' &&
        !isShownBucket(company),
    );
    holds(funded, ({ key, profile, rounds }) => {
      const raised = rounds.reduce((sum, { dollars }) => sum + (dollars ?? 0), 0);
      const perHead = raised / Number(profile.MembersCount);
      const isAllKnown = rounds.every(({ dollars }) => dollars !== null);
      return ((isAllKnown && perHead < 1_500) || perHead > 5e6) && `${key}: ${perHead}`;
    });
    const medians = [1, 3, 4, 5, 6, 7].map((rung) => {
      const ofRung = funded.filter(({ rounds }) => rounds.at(-1)?.stage === rung);
      return median(ofRung.map(({ profile }) => Number(profile.MembersCount)));
    });
    expect(medians).toEqual([...medians].sort((a, b) => a - b));
    expect(Number(medians.at(-1))).toBeGreaterThan(20 * Number(medians[0]));
    const known = funded.filter(({ rounds }) => rounds.every(({ dollars }) => dollars !== null));
    const raised = known.map(({ rounds }) =>
      rounds.reduce((sum, each) => sum + Number(each.dollars), 0),
    );
    const heads = known.map(({ profile }) => Number(profile.MembersCount));
    expect(rankCorrelation(raised, heads)).toBeGreaterThan(0.75);
  });

  test('an expected next stage is later than the last stage', () => {
    const expecting = market.companies.filter(
      ({ profile }) => (profile.NextFundingStage ?? null) !== null,
    );
    holds(expecting, ({ key, profile, rounds }) => {
      const top = Math.max(
        0,
        ...rounds.flatMap(({ stage }) => (stage !== null && stage <= 11 ? stage : [])),
      );
      const next = Number(profile.NextFundingStage);
      return next <= 11 && next <= top && `${key}: ${next} after ${top}`;
    });
  });

  test('a fund invests after its founding and before it closes', () => {
    holds(
      market.investments.filter(({ type }) => type === 'fund'),
      ({ company, round, investor }) => {
        const fund = market.funds.get(investor);
        if (fund === undefined) return false;
        const isYoung = Number(fund.Founded ?? 0) > Number(round.day.slice(0, 4));
        const isClosed = fund.OperatingStatus === 'Closed' && round.day > '2024-01-01';
        return (isYoung || isClosed) && `${investor} in ${company.key} on ${round.day}`;
      },
    );
  });

  test('people do not invest in companies that they founded', () => {
    holds(
      market.investments.filter(({ type }) => type === 'person'),
      ({ company, investor }) =>
        market.founders.get(company.key)?.has(investor) === true && `${investor} in ${company.key}`,
    );
  });

  test('an exit is later than the investment, and no investment follows it', () => {
    const rounds = new Map<string, string[]>();
    for (const { company, round, investor } of market.investments) {
      const key = `${investor} ${company.key}`;
      rounds.set(key, [...(rounds.get(key) ?? []), round.day]);
    }
    holds(market.exits, ({ fund, company, day }) => {
      const late = (rounds.get(`${fund} ${company}`) ?? []).some((each) => each > day);
      return late && `${fund} left ${company} on ${day}`;
    });
  });

  test('a closed company has raised nothing for a year', () => {
    const closed = market.companies.filter(({ profile }) => profile.OperatingStatus === 'Closed');
    holds(closed, ({ key, rounds }) => (rounds.at(-1)?.day ?? '') > '2025-01-01' && key);
  });
});

test('people do not invest in companies that they founded, even if there are few investors', () => {
  const markets = Array.from({ length: 60 }, (_, seed) =>
    marketOf([...generateDataset({ startups: 60, seed, today: TODAY })]),
  );
  const own = markets.flatMap(({ investments, founders }) =>
    investments.filter(({ company, investor }) => founders.get(company.key)?.has(investor)),
  );
  expect(own).toEqual([]);
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Spearman's coefficient; ties come as they stand. */
function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const ranks = (values: readonly number[]) => {
    const order = values.map((_, at) => at).sort((a, b) => Number(values[a]) - Number(values[b]));
    const ranked = new Array<number>(values.length);
    for (const [rank, at] of order.entries()) ranked[at] = rank;
    return ranked;
  };
  const [a, b] = [ranks(one), ranks(other)];
  const squares = a.reduce((sum, rank, at) => sum + (rank - Number(b[at])) ** 2, 0);
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1));
}
