/** The way of a startup through its rounds: which stages, when, how much. */
import { stages } from '@vcds/venture-model';
import { arrivalDay, type WorldPlan } from './plan.ts';
import { rounded } from './profile.ts';
import { quantileAt, Random, streams, Weighted } from './random.ts';
import { dollarsPerUnit } from './rates.ts';
import { near, scaleOf } from './scale.ts';
import { shownBucket, shownNextStage, shownStage, statusPlace } from './showcase.ts';
import { drawSyndicate, type Participant } from './syndicate.ts';
import type { City } from './words/cities.ts';
import { type StageLook, stageLooks } from './words/money.ts';

/** A stage of the ladder from pre-seed (1) to series H (11), or one beside it (12 to 22). */
type StageNumber = number;

const lastRung = 11;

export interface FundingPath {
  readonly foundedDay: number;
  /** The rounds of the base, oldest first. */
  readonly steps: readonly { readonly stage: StageNumber; readonly day: number }[];
}

export interface Round {
  readonly startup: number;
  /** Counted from 0 within the startup. */
  readonly number: number;
  readonly stage: StageNumber;
  readonly day: number;
  readonly dateKnown: boolean;
  readonly series: string | null;
  /** In `currency`, whole; `amount` is null where it was not disclosed. */
  readonly size: number;
  readonly amount: number | null;
  readonly currency: string;
  /** The size in US dollars of the day. */
  readonly dollars: number;
  readonly confirmed: boolean;
  readonly participants: readonly Participant[];
}

/** Where companies stand, in shares of about a thousand; 0 stands for those that never raised. */
const finalStages = new Weighted<StageNumber>([
  [0, 260],
  [1, 130],
  [2, 30],
  [3, 255],
  [4, 125],
  [5, 65],
  [6, 40],
  [7, 20],
  [8, 9],
  [9, 4],
  [10, 2],
  [11, 1],
  [12, 20],
  [13, 8],
  [14, 6],
  [15, 8],
  [16, 14],
  [17, 10],
  [18, 6],
  [19, 1],
  [20, 4],
  [21, 1],
  [22, 1],
]);
const youngStages = new Weighted<StageNumber>([
  [0, 30],
  [1, 30],
  [2, 8],
  [3, 40],
  [4, 4],
  [16, 3],
  [17, 3],
]);

const sinceLastRound = [1, 60, 150, 280, 430, 620, 850, 1200, 1700, 2600];
const betweenRounds = [300, 380, 450, 520, 590, 660, 740, 900];
const foundedBefore = [20, 120, 240, 400, 600, 900, 1600];
const unfundedAge = [10, 300, 700, 1200, 2000, 3000, 4500, 6500];

/** Plans backwards from the last round, so that every path ends before the base does. */
export function fundingPath(plan: WorldPlan, index: number): FundingPath {
  const random = new Random(plan.seed, streams.funding, index);
  const isNew = index >= plan.baseStartups;
  const until = isNew ? arrivalDay(plan, index) : plan.historyDay - silence(index);
  const final = isNew ? youngStages.draw(random) : finalStage(random, index);
  if (final === 0) {
    const age = Math.floor(random.quantile(isNew ? foundedBefore : unfundedAge));
    return { foundedDay: until - 1 - age - bootstrapped(random), steps: [] };
  }
  let day =
    until - 1 - Math.floor(isNew ? random.fraction() * 40 : random.quantile(sinceLastRound));
  const steps = stagesUpTo(random, final)
    .reverse()
    .map((stage) => {
      const step = { stage, day };
      day -= Math.floor(random.quantile(betweenRounds));
      return step;
    })
    .reverse();
  const first = steps[0]?.day ?? until;
  const age = Math.floor(random.quantile(foundedBefore));
  return { foundedDay: first - age - bootstrapped(random), steps };
}

/** The first ones of every block show each stage once, or have come as far as what they show. */
function finalStage(random: Random, index: number): StageNumber {
  const drawn = finalStages.draw(random);
  const bucket = shownBucket(index);
  if (bucket !== null) return stageOfBucket[bucket - 1] ?? drawn;
  const next = shownNextStage(index);
  if (next !== null) return lookOf(next).after?.[1] ?? next - 1;
  return shownStage(index) ?? drawn;
}

/** Stages at which companies have as many people as each headcount bucket says. */
const stageOfBucket: readonly StageNumber[] = [1, 3, 5, 6, 7, 8, 10, 11, 21];

/** One that shows the status Closed has not raised for long. */
const silence = (index: number): number => (statusPlace(index) === 2 ? 800 : 0);

/** A few companies are much older than their first round. */
function bootstrapped(random: Random): number {
  return random.chance(0.02) ? Math.floor(random.fraction() * random.fraction() * 22_000) : 0;
}

function stagesUpTo(random: Random, final: StageNumber): StageNumber[] {
  const { after } = lookOf(final);
  const top = after === null ? final : random.between(after[0], after[1]);
  const steps: StageNumber[] = [];
  for (let stage = 1; stage <= Math.min(top, lastRung); stage += 1) {
    const taken = stage === final || random.chance(rungChance[stage] ?? 1);
    if (!taken) continue;
    steps.push(stage);
    if (stage !== final && random.chance(0.05)) steps.push(...drawBetween(random, stage));
    else if (stage >= 3 && stage < top && random.chance(0.04)) steps.push(stage);
  }
  if (after !== null) steps.push(final);
  return steps;
}

/** How likely a company that climbs higher stopped at a rung; the others it always takes. */
const rungChance: Readonly<Record<number, number>> = { 1: 0.3, 2: 0.08, 3: 0.86, 4: 0.97 };
/** What comes between rungs: venture, debt, convertible, grant. */
const between: readonly StageNumber[] = [12, 15, 15, 16, 17];

function drawBetween(random: Random, rung: StageNumber): readonly StageNumber[] {
  const stage = random.pick(between);
  const [low, high] = lookOf(stage).after ?? [0, 0];
  return rung >= low && rung <= high ? [stage] : [];
}

/** All rounds of the base of a startup, investors who came back preferred. */
export function roundsOf(
  plan: WorldPlan,
  index: number,
  path: FundingPath,
  sector: number,
  home: City | null,
): Round[] {
  const rounds: Round[] = [];
  for (const { stage, day } of path.steps) {
    rounds.push(roundOf(plan, index, stage, day, rounds, sector, home));
  }
  return rounds;
}

/** One round, after those given. */
export function roundOf(
  plan: WorldPlan,
  startup: number,
  stage: StageNumber,
  day: number,
  earlier: readonly Round[],
  sector: number,
  home: City | null,
): Round {
  const number = earlier.length;
  const random = new Random(plan.seed, streams.funding, startup, number + 1);
  const look = lookOf(stage);
  const place = near(random, scaleOf(plan, startup));
  const drawn = quantileAt(look.raised, place) * 1000 * (home?.country.amounts ?? 1);
  const { currency, rate } = currencyOf(plan, startup, home, day);
  const size = rounded(drawn / rate, random.chance(0.8) ? 2 : 3);
  const isShown = shownStage(startup) !== null;
  return {
    startup,
    number,
    stage,
    day,
    dateKnown: isShown || random.chance(0.985),
    series: isShown ? stageLabel(stage) : seriesOf(random, stage, look),
    size,
    amount: random.chance(0.12) ? null : size,
    currency,
    dollars: size * rate,
    confirmed: isShown || random.chance(0.94),
    participants: drawSyndicate(plan, random, {
      startup,
      stage,
      day,
      sector,
      country: home?.country.name ?? null,
      earlier: earlier.flatMap(({ participants }) => participants),
    }),
  };
}

/** Seven companies in ten raise in the currency of their country, where its rate is on record. */
function currencyOf(plan: WorldPlan, startup: number, home: City | null, day: number) {
  const isLocal = new Random(plan.seed, streams.funding, startup, 0x101).chance(0.7);
  const currency = home !== null && isLocal ? home.country.currency : 'USD';
  const rate = dollarsPerUnit(currency, day);
  return rate === null ? { currency: 'USD', rate: 1 } : { currency, rate };
}

function seriesOf(random: Random, stage: StageNumber, look: StageLook): string | null {
  if (random.chance(0.02)) return null;
  if (look.spellings.length > 0 && random.chance(0.22)) return random.pick(look.spellings);
  return stageLabel(stage);
}

export function lookOf(stage: StageNumber): StageLook {
  const look = stageLooks[stage - 1];
  if (look === undefined) throw new RangeError(`no stage ${stage}`);
  return look;
}

export function stageLabel(stage: StageNumber): string {
  return stages[stage - 1]?.label ?? `${stage}`;
}

/** A stage within a sentence. */
export function stageWords(stage: StageNumber): string {
  return stage === 12 ? 'Venture' : stageLabel(stage);
}

/** Whether a round set a price that is known: seed to private equity, its amount disclosed. */
export const isPriced = ({ stage, amount }: Round): boolean =>
  amount !== null && stage >= 3 && stage <= 14;

/** Whether a company was bought out or went public: no round of the ladder follows. */
const isBeyondVenture = (rounds: readonly Round[]): boolean =>
  rounds.some(({ stage }) => stage === 14 || stage === 21);

/** The stages that a company may raise next, the nearest first; none beyond venture capital. */
export function stagesAfter(rounds: readonly Round[]): readonly StageNumber[] {
  if (isBeyondVenture(rounds)) return [];
  const top = Math.max(0, ...rounds.map(({ stage }) => (stage <= lastRung ? stage : 0)));
  const rungs = Array.from({ length: lastRung }, (_, at) => at + 1);
  return [...rungs.filter((rung) => rung > top && rung >= 3), 13, 19, 21];
}
