import { Random } from '@vcds/demo-data/random';
import { profileOf, RAISED_SPREAD } from '@vcds/demo-data/words';
import { stages } from '@vcds/venture-model';
import { foundedOf } from './companies.ts';
import type { Cell } from './copy-rows.ts';
import { rank } from './dictionary.ts';
import {
  type CorpusSize,
  dayNumber,
  dayText,
  fundsOf,
  idOf,
  importedAt,
  LAST_DAY,
} from './vocabulary.ts';

export const ROUND_COLUMNS =
  'id, startup_id, date, series, stage, amount, original_amount, original_currency, confirmed, ' +
  'source, occurred_at, created_at, updated_at';
export const INVESTOR_COLUMNS =
  'round_id, fund_id, person_id, lead, source, created_at, updated_at';
export const VALUATION_COLUMNS =
  'id, startup_id, round_id, date, amount, estimated, source, created_at, updated_at';
export const HOLDING_COLUMNS =
  'fund_id, startup_id, status, stated, source, occurred_at, created_at, updated_at';

const FUNDED_SHARE = 0.45;
const ROUNDS_MAX = 8;
const INVESTORS_MAX = 5;
/** The fund at the share u of their order draws u ^ SKEW: the largest has thousands of startups. */
const SKEW = 2;
/** Outside the ladder of pre-seed to series H. */
const OTHER_STAGES = [12, 13, 15, 16, 17, 18, 20, 22];
const CURRENCIES = ['EUR', 'GBP', 'SEK'];
const LAST = dayNumber(LAST_DAY);

/** One startup for this many people who invest their own money. */
const STARTUPS_PER_ANGEL = 20;
export const angelsOf = ({ startups }: CorpusSize): number =>
  Math.max(10, Math.round(startups / STARTUPS_PER_ANGEL));

/** A round, as drawn. */
interface Round {
  readonly startup: number;
  readonly number: number;
  readonly day: number;
  readonly stage: number;
  readonly amount: number | null;
}

/** The rounds of the corpus, startup by startup: the same at every call. */
function* rounds({ startups, seed }: CorpusSize): Generator<Round> {
  for (let startup = 0; startup < startups; startup += 1) {
    const random = new Random(seed, 'rounds', startup);
    if (!random.chance(FUNDED_SHARE)) continue;
    let day = dayNumber(`${Math.max(foundedOf(seed, startup) ?? 2012, 2000)}-01-01`);
    day += random.below(900);
    let ladder = random.pick([1, 2, 3, 3, 3, 3, 4]);
    for (let number = 0; number < ROUNDS_MAX && day <= LAST; number += 1) {
      const stage = random.chance(0.15) ? random.pick(OTHER_STAGES) : ladder;
      const median = profileOf(stage).raised * 1_000;
      const amount = random.chance(0.15)
        ? null
        : Math.round(median * random.quantile(RAISED_SPREAD));
      yield { startup, number, day, stage, amount };
      if (random.chance(0.42)) break;
      if (stage === ladder) ladder = Math.min(ladder + (ladder === 1 ? 2 : 1), 11);
      day += 180 + random.below(600);
    }
  }
}

const roundId = ({ startup, number }: Round): string => idOf('round', startup, number);

/** Records of the first import are of its day, later ones of the day after the round. */
const recordedAt = ({ day, startup }: Pick<Round, 'day' | 'startup'>): string =>
  importedAt(Math.max(day + 1, dayNumber('2025-12-02')), 7, startup);

export function* roundRows(size: CorpusSize): Generator<readonly Cell[]> {
  for (const round of rounds(size)) {
    const random = new Random(size.seed, 'round', round.startup, round.number);
    const label = stages[round.stage - 1]?.label ?? '';
    const spelling = random.pick([label.toUpperCase(), `${label} Round`, label.toLowerCase()]);
    const at = recordedAt(round);
    const isForeign = round.amount !== null && random.chance(0.2);
    yield [
      roundId(round),
      idOf('startup', round.startup),
      random.chance(0.03) ? null : dayText(round.day),
      random.chance(0.12) ? null : random.chance(0.15) ? spelling : label,
      random.chance(0.04) ? null : round.stage,
      round.amount,
      isForeign ? Math.round((round.amount ?? 0) * 0.9) : null,
      isForeign ? random.pick(CURRENCIES) : null,
      !random.chance(0.12),
      'newswire',
      random.chance(0.5) ? `${dayText(round.day)}T00:00:00Z` : null,
      at,
      at,
    ];
  }
}

export function* investorRows(size: CorpusSize): Generator<readonly Cell[]> {
  const funds = fundsOf(size);
  for (const round of rounds(size)) {
    const random = new Random(size.seed, 'investors', round.startup, round.number);
    const at = recordedAt(round);
    const seen = new Set<string>();
    const count = random.chance(0.45) ? 0 : 1 + rank(random, INVESTORS_MAX);
    for (let n = 0; n < count; n += 1) {
      const isAngel = random.chance(0.08);
      const investor = isAngel
        ? idOf('angel', rank(random, angelsOf(size), 0.8))
        : idOf('fund', drawFund(random, funds));
      if (seen.has(investor)) continue;
      seen.add(investor);
      const [fund, person] = isAngel ? [null, investor] : [investor, null];
      yield [roundId(round), fund, person, n === 0, 'newswire', at, at];
    }
  }
}

const drawFund = (random: Random, funds: number): number =>
  Math.floor(random.unit() ** SKEW * funds);

export function* valuationRows(size: CorpusSize): Generator<readonly Cell[]> {
  for (const round of rounds(size)) {
    const random = new Random(size.seed, 'valuation', round.startup, round.number);
    if (!random.chance(0.22)) continue;
    const at = recordedAt(round);
    const amount =
      round.amount === null ? null : Math.round(round.amount * (3 + random.unit() * 6));
    const id = idOf('valuation', round.startup, round.number);
    const statedRound = random.chance(0.7) ? roundId(round) : null;
    const isEstimated = random.chance(0.5);
    const startup = idOf('startup', round.startup);
    yield [id, startup, statedRound, dayText(round.day), amount, isEstimated, 'registry', at, at];
  }
}

/** Holdings that a source states; the rounds imply the others. */
export function* statedHoldingRows(size: CorpusSize): Generator<readonly Cell[]> {
  const funds = fundsOf(size);
  for (let startup = 0; startup < size.startups; startup += 1) {
    const random = new Random(size.seed, 'holding', startup);
    if (!random.chance(0.2)) continue;
    const status = random.chance(0.8) ? 'Held' : random.pick(['Exited', 'Acquired']);
    const day = dayNumber('2012-01-01') + random.below(5_000);
    const occurred = random.chance(0.5) ? `${dayText(day)}T00:00:00Z` : null;
    const at = recordedAt({ day, startup });
    const fund = idOf('fund', drawFund(random, funds));
    const held = idOf('startup', startup);
    yield [fund, held, status, true, 'portfolio pages', occurred, at, at];
  }
}
