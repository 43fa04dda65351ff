import { Random } from '../src/history/random.ts';
import {
  type InvestmentData,
  type InvestmentRow,
  type Investor,
  investmentsOf,
  type Startup,
} from '../src/index.ts';

export const anInvestor = (id: string, fields: Partial<Investor> = {}): Investor => ({
  ...{ id, name: id, type: 'VentureFund', country: '', region: '', city: '', stages: [] },
  ...{ tags: [], founded: 0 },
  ...fields,
});

export const aStartup = (id: string, fields: Partial<Startup> = {}): Startup => ({
  ...{ id, tags: [], country: '', region: '', city: '', founded: 0 },
  ...fields,
});

export const dataOf = (
  investors: readonly Investor[],
  startups: readonly Startup[],
  rows: readonly InvestmentRow[],
): InvestmentData => ({ investors, startups, investments: investmentsOf(rows) });

const TAGS = ['fintech', 'health', 'games', 'energy'];
const COUNTRIES = ['DE', 'FR', 'US'];
export const DATA_DAYS = 2000;

export interface Structure {
  readonly companies?: number;
  readonly investors?: number;
  /** Days after which every investor turns to the next tag; by default none does. */
  readonly turnDays?: number;
  /** Whether half of the investors like only rounds of stage 3, and half only those of stage 4. */
  readonly haveStages?: boolean;
}

/** Data in which investor i prefers tag i mod 4 and country i mod 3. */
export function plantedData(seed: number, structure: Structure = {}): InvestmentData {
  const { companies = 400, investors = 24, turnDays = Number.POSITIVE_INFINITY } = structure;
  const { haveStages = false } = structure;
  const random = new Random(seed);
  const startups = Array.from({ length: companies }, (_, s) =>
    aStartup(`s${s}`, {
      tags: [TAGS[random.below(4)] ?? ''],
      country: COUNTRIES[random.below(3)] ?? '',
    }),
  );
  const rows = startups.flatMap((startup, s): InvestmentRow[] => {
    const day = random.below(DATA_DAYS);
    const turns = Math.floor(day / turnDays);
    const drawn = Array.from({ length: investors }, (_, i) => {
      const isOfStage = !haveStages || (i >> 2) % 2 === s % 2;
      const isLiked = isOfStage && TAGS[(i + turns) % 4] === startup.tags[0];
      return { i, x: random.unit() - (isLiked && COUNTRIES[i % 3] === startup.country ? 0.9 : 0) };
    }).sort((a, b) => a.x - b.x);
    return drawn.slice(0, 3).map(({ i }, k) => ({
      ...{ investor: i, startup: s, round: 2 * s + (k < 2 ? 0 : 1) },
      ...{ day: day + (k < 2 ? 0 : 200), stage: haveStages ? 3 + (s % 2) : k < 2 ? 3 : 4 },
      amountUsd: 1e6 * (k + 1),
    }));
  });
  return dataOf(
    Array.from({ length: investors }, (_, i) => anInvestor(`i${String(i).padStart(3, '0')}`)),
    startups,
    rows,
  );
}

/** The same data with a startup more, the only one of its tag, and an investment in it. */
export function withInvestment(
  data: InvestmentData,
  row: Pick<InvestmentRow, 'investor' | 'day'>,
): InvestmentData {
  const startup = data.startups.length;
  const added = aStartup('odd', { tags: ['mining'], country: 'DE' });
  const rows = rowsOf(data).concat({ ...row, startup, round: 1e6, stage: 3, amountUsd: 1e6 });
  return dataOf(data.investors, [...data.startups, added], rows);
}

function rowsOf({ investments }: InvestmentData): InvestmentRow[] {
  const { investor, startup, round, day, stage, amountUsd } = investments;
  return Array.from(investor, (each, k) => ({
    ...{ investor: each, startup: startup[k] ?? 0, round: round[k] ?? 0 },
    ...{ day: day[k] ?? 0, stage: stage[k] ?? 0, amountUsd: amountUsd[k] ?? 0 },
  }));
}

/** The same investments, with their days exchanged at random. */
export function shuffledDays(data: InvestmentData, seed: number): InvestmentData {
  const random = new Random(seed);
  const day = data.investments.day.slice();
  for (let k = day.length - 1; k > 0; k--) {
    const other = random.below(k + 1);
    [day[k], day[other]] = [day[other] as number, day[k] as number];
  }
  return { ...data, investments: { ...data.investments, day } };
}
