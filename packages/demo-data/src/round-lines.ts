/** Rounds, investments and valuations as import lines. */
import type { ImportLine, InvestorRef } from '@vcds/importer';
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
export function roundLine(round: Round, listed: readonly Participant[], stamp: Stamp): ImportLine {
  const { spec, startup, number, stage, amount } = round;
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
export function investorLine(round: Round, participant: Participant, stamp: Stamp): ImportLine {
  return {
    ...upsert('investor', stamp),
    Round: { key: roundKey(round) },
    Investor: investorRef(round.spec, participant),
    Lead: participant.lead ? true : null,
  };
}

/** A valuation by a round, in US dollars; the latest one has a day and an amount. */
export function valuationLine(round: Round, dollars: number, stamp: Stamp, isLatest = true) {
  const { spec, startup, number, currency, day } = round;
  const random = new Random(spec.seed, 'valuation', startup, number);
  const amount = rounded(dollars / (dollarsPerUnit(currency, day) ?? 1), 2);
  return {
    ...upsert('valuation', { ...stamp, key: `valuation-${startup}-${number}` }),
    Startup: refTo('startup', startup),
    Round: random.maybe(0.85, { key: roundKey(round) }),
    Date: random.chance(0.94) || isLatest ? dateOf(day) : null,
    Amount: random.chance(0.9) || isLatest ? amount : null,
    Currency: currency === 'USD' ? null : currency,
    Estimated: random.pick([true, true, true, false, null]),
    SourceUrl: sourceUrl(`valuations/${startup}-${number}`),
  };
}

const recorded = ({ startup, number, day }: Round): Stamp =>
  stampOf(day, startup * 37 + number * 7919);

/** For one round in six, all participants except the first become known later. */
const isKnownLater = ({ spec: { seed }, startup, number }: Round): boolean =>
  new Random(seed, 'known later', startup, number).chance(0.16);

/** The rounds of a startup with the participants that are known at first. */
export const roundLines = ({ rounds }: Startup): ImportLine[] =>
  rounds.map((round) => {
    const listed = isKnownLater(round) ? round.participants.slice(0, 1) : round.participants;
    return roundLine(round, listed, recorded(round));
  });

/** The participants that become known later. */
export const investorLines = ({ spec, rounds }: Startup): ImportLine[] =>
  rounds.flatMap((round) => {
    const late = isKnownLater(round) ? round.participants.slice(1) : [];
    const noticed = Math.min(round.day + 20 + (round.startup % 60), spec.historyDay - 1);
    const day = Math.max(noticed, round.day);
    return late.map((each) => investorLine(round, each, stampOf(day, 50_000)));
  });

/** The valuations by rounds, for one startup in six. */
export function valuationLines({ spec, index, rounds }: Startup): ImportLine[] {
  const values = postMoneyOf(rounds);
  const priced = isValued(spec, index) ? rounds.filter(isPriced) : [];
  return priced.map((round) => {
    const value = values[rounds.indexOf(round)] ?? 0;
    return valuationLine(round, value, recorded(round), round === priced.at(-1));
  });
}
