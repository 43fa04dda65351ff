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
  ...{ tags: [], founded: 0, isClosed: false },
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

/**
 * Data with a planted structure: investor i prefers tag i mod 4 and country i mod 3, and the
 * investors of one country join each other's companies later.
 */
export function plantedData(seed: number, companies = 400, investors = 24): InvestmentData {
  const random = new Random(seed);
  const startups = Array.from({ length: companies }, (_, s) =>
    aStartup(`s${s}`, {
      tags: [TAGS[random.below(4)] ?? ''],
      country: COUNTRIES[random.below(3)] ?? '',
    }),
  );
  const rows = startups.flatMap((startup, s): InvestmentRow[] => {
    const day = random.below(DATA_DAYS);
    const liking = Array.from({ length: investors }, (_, i) => {
      const likes = TAGS[i % 4] === startup.tags[0] && COUNTRIES[i % 3] === startup.country;
      return { i, x: random.unit() - (likes ? 0.9 : 0) };
    }).sort((a, b) => a.x - b.x);
    return liking.slice(0, 3).map(({ i }, k) => ({
      ...{ investor: i, startup: s, round: 2 * s + (k < 2 ? 0 : 1) },
      ...{ day: day + (k < 2 ? 0 : 200), stage: k < 2 ? 3 : 4, amountUsd: 1e6 * (k + 1) },
    }));
  });
  return dataOf(
    Array.from({ length: investors }, (_, i) => anInvestor(`i${String(i).padStart(3, '0')}`)),
    startups,
    rows,
  );
}
