/** The rounds of a startup: their stages, days, amounts and investors. */
import { rounded } from './profile.ts';
import { quantileAt, Random, weighted } from './random.ts';
import { dollarsPerUnit } from './rates.ts';
import { arrivalDay, type DatasetSpec, shown } from './spec.ts';
import { drawSyndicate, type Fundraiser, type Participant } from './syndicate.ts';
import { profileOf, RAISED_SPREAD, STAGES } from './words/tables.ts';

/** The stage series H: the ladder is from pre-seed (1) to it. */
const LADDER_MAX = 11;

export interface Round {
  readonly spec: DatasetSpec;
  readonly startup: number;
  /** Counted from 0 in each startup. */
  readonly number: number;
  readonly stage: number;
  readonly day: number;
  /** In `currency`, an integer; `amount` is null if it is undisclosed. */
  readonly size: number;
  readonly amount: number | null;
  readonly currency: string;
  /** The size in US dollars of the day. */
  readonly dollars: number;
  readonly confirmed: boolean;
  readonly participants: readonly Participant[];
}

const drawLastStage = weighted([260, ...STAGES.map(({ share }) => share)].entries());
const drawYoungStage = weighted([...[30, 30, 8, 40, 4].entries(), [16, 3], [17, 3]] as const);
/** The last stage of startups that show a headcount bucket. */
const STAGE_OF_BUCKET = [1, 3, 5, 6, 7, 8, 10, 11, 21];

/** Quantiles of days. */
const SINCE_LAST_ROUND = [1, 60, 150, 280, 430, 620, 850, 1200, 1700, 2600];
const BETWEEN_ROUNDS = [300, 380, 450, 520, 590, 660, 740, 900];
const FOUNDED_BEFORE = [20, 120, 240, 400, 600, 900, 1600];
const UNFUNDED_AGE = [10, 300, 700, 1200, 2000, 3000, 4500, 6500];

/** The days of the founding and of all rounds; drawn backwards from the last round. */
export function fundingPath(spec: DatasetSpec, index: number) {
  const random = new Random(spec.seed, 'path', index);
  const days = (quantiles: readonly number[]) => Math.floor(random.quantile(quantiles));
  const arrival = arrivalDay(spec, 'startup', index);
  // One that shows the status Closed has not raised for long.
  const silence = shown('startup', 'status', index)?.name === 'Closed' ? 800 : 0;
  const until = (arrival ?? spec.historyDay - silence) - 1;
  const last = arrival === null ? lastStage(random, index) : drawYoungStage(random);
  // A few companies are much older than their first round.
  const bootstrapped = random.chance(0.02) ? Math.floor(random.unit() * random.unit() * 22_000) : 0;
  if (last === 0) {
    const age = days(arrival === null ? UNFUNDED_AGE : FOUNDED_BEFORE);
    return { foundedDay: until - age - bootstrapped, steps: [] };
  }
  let day = until - (arrival === null ? days(SINCE_LAST_ROUND) : random.below(40));
  const steps: { stage: number; day: number }[] = [];
  for (const stage of stagesUpTo(random, last).reverse()) {
    steps.unshift({ stage, day });
    day -= days(BETWEEN_ROUNDS);
  }
  const first = steps[0]?.day ?? until;
  return { foundedDay: first - days(FOUNDED_BEFORE) - bootstrapped, steps };
}

function lastStage(random: Random, index: number): number {
  const drawn = drawLastStage(random);
  const bucket = shown('startup', 'bucket', index)?.number ?? 0;
  const next = shown('startup', 'nextStage', index)?.number;
  const beforeNext = next === undefined ? undefined : (profileOf(next).after?.[1] ?? next - 1);
  const last = STAGE_OF_BUCKET[bucket - 1] ?? beforeNext;
  return last ?? shown('startup', 'stage', index)?.number ?? drawn;
}

/** Stages of the ladder that companies which reach a later one may skip, and how many take them. */
const TAKEN: Readonly<Record<number, number>> = { 1: 0.3, 2: 0.08, 3: 0.86, 4: 0.97 };
/** Stages between those of the ladder: venture, debt, convertible, grant. */
const BETWEEN = [12, 15, 15, 16, 17];

function stagesUpTo(random: Random, last: number): number[] {
  const { after } = profileOf(last);
  const top = after === null ? last : random.between(...after);
  const steps: number[] = [];
  for (let stage = 1; stage <= top; stage += 1) {
    if (stage !== last && !random.chance(TAKEN[stage] ?? 1)) continue;
    steps.push(stage);
    if (stage !== last && random.chance(0.05)) {
      const other = random.pick(BETWEEN);
      const [low, high] = profileOf(other).after ?? [0, 0];
      if (stage >= low && stage <= high) steps.push(other);
    } else if (stage >= 3 && stage < top && random.chance(0.04)) steps.push(stage);
  }
  return after === null ? steps : [...steps, last];
}

/** The size of a company among those of its stage, from 0 to 1. */
function scaleOf({ seed }: DatasetSpec, index: number): number {
  const bucket = shown('startup', 'bucket', index)?.number;
  const scale = new Random(seed, 'scale', index).unit();
  return bucket === undefined ? scale : bucket === 9 ? 0.85 : 0.5;
}

/** A value of a distribution near the size of a company: amounts and headcounts correlate. */
export function sizedValue(spec: DatasetSpec, index: number, quantiles: number[], random: Random) {
  const position = scaleOf(spec, index) + (random.unit() - 0.5) / 5;
  return quantileAt(quantiles, Math.min(Math.max(position, 0), 1));
}

/** A round after those given; some of their investors take part again. */
export function nextRound(
  fundraiser: Fundraiser,
  stage: number,
  day: number,
  earlier: readonly Round[],
): Round {
  const { spec, index, home } = fundraiser;
  const random = new Random(spec.seed, 'round', index, earlier.length);
  const spread = sizedValue(spec, index, RAISED_SPREAD, random);
  const drawn = spread * profileOf(stage).raised * 1000 * (home?.country.amounts ?? 1);
  // Seven companies in ten raise in their own currency, if its rate is on record.
  const isLocal = new Random(spec.seed, 'currency', index).chance(0.7);
  const local = home !== null && isLocal ? home.country.currency : 'USD';
  const rate = dollarsPerUnit(local, day);
  const size = rounded(drawn / (rate ?? 1), random.chance(0.8) ? 2 : 3);
  const before = earlier.flatMap(({ participants }) => participants);
  return {
    spec,
    startup: index,
    number: earlier.length,
    stage,
    day,
    size,
    amount: random.maybe(0.88, size),
    currency: rate === null ? 'USD' : local,
    dollars: size * (rate ?? 1),
    confirmed: shown('startup', 'stage', index) !== null || random.chance(0.94),
    participants: drawSyndicate(random, { ...fundraiser, stage, day }, before),
  };
}

/** Whether a round set a known price: seed to private equity, with a disclosed amount. */
export const isPriced = ({ stage, amount }: Round): boolean =>
  amount !== null && stage >= 3 && stage <= 14;

/** The stages that a company may raise next, the nearest first; none after a buyout or IPO. */
export function stagesAfter(rounds: readonly Round[]): readonly number[] {
  if (rounds.some(({ stage }) => stage === 14 || stage === 21)) return [];
  const top = Math.max(2, ...rounds.map(({ stage }) => (stage <= LADDER_MAX ? stage : 0)));
  return [...Array.from({ length: LADDER_MAX - top }, (_, at) => top + 1 + at), 13, 19, 21];
}

/** Whether the valuations of a startup are on record: those of one in six. */
export const isValued = ({ seed }: DatasetSpec, startup: number): boolean =>
  shown('startup', 'stage', startup) === null && new Random(seed, 'valued', startup).chance(0.16);

/**
 * The post-money valuation of each round in US dollars. A round sells a tenth to a quarter of the
 * company. A valuation is at least 1.6 times the money raised until the next one; at worst it falls
 * to 85 % of the one before (a down round).
 */
export function postMoneyOf(rounds: readonly Round[]): readonly number[] {
  let raised = 0;
  let before = 0;
  return rounds.map((round, at) => {
    raised += round.dollars;
    const next = rounds.findIndex((each, position) => position > at && isPriced(each));
    const unpriced = rounds.slice(at + 1, next < 0 ? undefined : next);
    const covered = unpriced.reduce((sum, { dollars }) => sum + dollars, raised);
    const usual = new Random(round.spec.seed, 'share sold', round.startup).unit();
    const own = new Random(round.spec.seed, 'share sold', round.startup, round.number).unit();
    const share = 0.12 + usual * 0.11 + (own - 0.5) / 25;
    const value = Math.max(round.dollars / share, covered * 1.6, before * 0.85);
    if (isPriced(round)) before = value;
    return value;
  });
}
