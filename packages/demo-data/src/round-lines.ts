/** Rounds, investments and valuations as import lines. */
import type { ImportLine, InvestorRef, UpsertLine } from '@vcds/importer';
import { dateOf } from './days.ts';
import { angelKey } from './people.ts';
import { refTo, rounded, type Stamp, sourceUrl, stampOf, upsert } from './profile.ts';
import { Random } from './random.ts';
import { dollarsPerUnit } from './rates.ts';
import { isPriced, isValued, postMoneyOf, type Round } from './rounds.ts';
import { type DatasetSpec, shown } from './spec.ts';
import type { Startup } from './startups.ts';
import type { Participant } from './syndicate.ts';
import { profileOf, stageLabel } from './words/tables.ts';

export const roundKey = ({ startup, number }: Round): string => `round-${startup}-${number}`;

function investorRef(spec: DatasetSpec, { type, index }: Participant): InvestorRef {
  return type === 'fund'
    ? { type, ...refTo('fund', index) }
    : { type: 'person', key: angelKey(spec, index) };
}

/** A round with those of its participants that the line lists. */
export function roundLine(
  spec: DatasetSpec,
  round: Round,
  listed: readonly Participant[],
  stamp: Stamp,
): UpsertLine<'round'> {
  const { startup, number, stage, amount } = round;
  const random = new Random(spec.seed, 'round line', startup, number);
  const isShown = shown('startup', 'stage', startup) !== null;
  const spelling = random.maybe(0.22, random.pick(profileOf(stage).spellings));
  const isSpelled = isShown || random.chance(0.98);
  const series = isSpelled ? ((isShown ? null : spelling) ?? stageLabel(stage)) : null;
  // Some sources give the series only; for some rounds they give neither.
  const isLeftOut = series === stageLabel(stage) && random.chance(0.4);
  return {
    ...upsert('round', { ...stamp, key: roundKey(round) }),
    Startup: refTo('startup', startup),
    Date: isShown || random.chance(0.985) ? dateOf(round.day) : null,
    Series: series,
    ...(!isLeftOut && { Stage: series === null && random.chance(0.5) ? null : stage }),
    Amount: amount,
    Currency: amount === null ? null : round.currency,
    // Rounds are confirmed by default.
    Confirmed: round.confirmed && random.chance(0.5) ? null : round.confirmed,
    Investors: listed.map((participant) => ({
      ...investorRef(spec, participant),
      ...(participant.lead && { Lead: true }),
    })),
    SourceUrl: sourceUrl(`rounds/${startup}-${number}`),
  };
}

/** A participant of a round that is on record already. */
export function investorLine(
  spec: DatasetSpec,
  round: Round,
  participant: Participant,
  stamp: Stamp,
): UpsertLine<'investor'> {
  return {
    ...upsert('investor', stamp),
    Round: { key: roundKey(round) },
    Investor: investorRef(spec, participant),
    Lead: participant.lead ? true : null,
  };
}

/** A valuation by a round, in US dollars; the latest one has a day and an amount. */
export function valuationLine(
  spec: DatasetSpec,
  round: Round,
  dollars: number,
  stamp: Stamp,
  isLatest: boolean,
): UpsertLine<'valuation'> {
  const { startup, number, currency, day } = round;
  const random = new Random(spec.seed, 'valuation', startup, number);
  const Estimated = random.pick([true, true, true, false, null]);
  return {
    ...upsert('valuation', { ...stamp, key: `valuation-${startup}-${number}` }),
    Startup: refTo('startup', startup),
    Round: random.maybe(0.85, { key: roundKey(round) }),
    Date: random.chance(0.94) || isLatest ? dateOf(day) : null,
    Amount: random.chance(0.9) || isLatest ? inCurrency(dollars, currency, day) : null,
    Currency: currency === 'USD' ? null : currency,
    Estimated,
    SourceUrl: sourceUrl(`valuations/${startup}-${number}`),
  };
}

/** A valuation of a later day, without a round. */
export function revaluationLine(
  spec: DatasetSpec,
  round: Round,
  dollars: number,
  day: number,
  stamp: Stamp,
): UpsertLine<'valuation'> {
  const key = `revaluation-${round.startup}-${round.number}`;
  const Amount = inCurrency(dollars, round.currency, day);
  const line = valuationLine(spec, round, dollars, stamp, true);
  return { ...line, key, Round: null, Date: dateOf(day), Amount };
}

const inCurrency = (dollars: number, currency: string, day: number): number =>
  rounded(dollars / (dollarsPerUnit(currency, day) ?? 1), 2);

const recorded = ({ startup, number, day }: Round): Stamp =>
  stampOf(day, startup * 37 + number * 7919);

/** For one round in six, all participants except the first become known later. */
function knownAtFirst({ seed }: DatasetSpec, { startup, number, participants }: Round): number {
  return new Random(seed, 'known later', startup, number).chance(0.16) ? 1 : participants.length;
}

/** The rounds of a startup with the participants that are known at first. */
export function roundLines({ spec, rounds }: Startup): ImportLine[] {
  return rounds.map((round) => {
    const listed = round.participants.slice(0, knownAtFirst(spec, round));
    return roundLine(spec, round, listed, recorded(round));
  });
}

/** The participants that become known later. */
export function investorLines({ spec, rounds }: Startup): ImportLine[] {
  return rounds.flatMap((round) => {
    const late = round.participants.slice(knownAtFirst(spec, round));
    const delay = 20 + new Random(spec.seed, 'delay', round.startup, round.number).below(60);
    const day = Math.max(Math.min(round.day + delay, spec.historyDay - 1), round.day);
    return late.map((participant) => investorLine(spec, round, participant, stampOf(day, 50_000)));
  });
}

export function valuationLines({ spec, index, rounds }: Startup): ImportLine[] {
  if (!isValued(spec, index)) return [];
  const values = postMoneyOf(spec, rounds);
  const last = rounds.findLast(isPriced);
  return rounds.flatMap((round, at) => {
    if (!isPriced(round)) return [];
    return [valuationLine(spec, round, values[at] ?? 0, recorded(round), round === last)];
  });
}
