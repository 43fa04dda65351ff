/** Facts about an investor and a company: those behind the features of a ranking. */
import { type Criteria, type Factor, type Investor, MS_PER_DAY } from '@vcds/matching';
import type { Level, Portfolios } from './portfolios.ts';

/** How many, and since which year: the first of January, inclusive. */
interface Counted {
  readonly count: number;
  readonly since: number;
}

/** Companies of a portfolio that have all of these properties. */
interface Similar {
  readonly tag?: string;
  readonly place?: string;
}

/** A fact, with numbers of investors instead of names. */
export type Fact =
  | (Counted & { readonly kind: 'activity' })
  | { readonly kind: 'recency'; readonly day: number }
  | { readonly kind: 'tenure'; readonly year: number }
  | (Counted & Similar & { readonly kind: 'companies' })
  | (Counted & Similar & { readonly kind: 'rounds'; readonly stage: number; readonly led: number })
  | (Counted & { readonly kind: 'amount'; readonly fromUsd: number; readonly toUsd: number })
  | { readonly kind: 'partner'; readonly partner: number; readonly count: number }
  | { readonly kind: 'home'; readonly country: string; readonly city?: string }
  | { readonly kind: 'statedStage'; readonly stage: number }
  | { readonly kind: 'statedTags'; readonly tags: readonly string[] };

/** The company of a hit: the one that seeks investors, or the one that is proposed to a fund. */
export interface Company extends Criteria {
  /** Its index in the data, if it is there. */
  readonly startup?: number;
}

/** From the most specific on. */
const PLACES_AND_TAGS = ['tagRegion', 'tagCountry', 'tag', 'city', 'region', 'country'] as const;
const LEVELS: Readonly<Partial<Record<Factor, Level>>> = {
  ...{ country: 'country', region: 'region', city: 'city' },
  ...{ tagCountry: 'country', tagRegion: 'region' },
};
/** Years before that of the newest investment that count as recent. */
const RECENT_YEARS = 3;
/** A recent count is stated if it is at least this share of the whole. */
const RECENT_SHARE = 0.4;
/** An amount is similar from half of it to twice. */
const AMOUNT_FACTOR = 2;

/** Computes the facts of pairs of an investor and a company from the data of a model. */
export class Facts {
  readonly #portfolios: Portfolios;
  readonly #recentYear: number;

  constructor(portfolios: Portfolios) {
    this.#portfolios = portfolios;
    this.#recentYear = yearOf(portfolios.lastDay) - RECENT_YEARS;
  }

  /** The fact of a factor; undefined if the data have none. */
  of(factor: Factor, investor: number, company: Company): Fact | undefined {
    const record = this.#portfolios.data.investors[investor];
    if (record === undefined) return undefined;
    switch (factor) {
      case 'activity':
        return this.#counted('activity', this.#portfolios.ofInvestor(investor));
      case 'recency':
        return this.#recency(investor);
      case 'tenure':
        return this.#tenure(investor);
      case 'portfolio':
        return PLACES_AND_TAGS.map((each) => this.#companies(each, investor, company)).find(
          (fact) => fact !== undefined,
        );
      case 'tag':
      case 'country':
      case 'region':
      case 'city':
      case 'tagCountry':
      case 'tagRegion':
        return this.#companies(factor, investor, company);
      case 'stage':
        return this.#rounds(investor, company);
      case 'amount':
        return this.#amount(investor, company.amountUsd ?? 0);
      case 'partners':
        return this.#partner(investor, company);
      case 'home':
        return homeOf(record, company);
      case 'statedStage': {
        const { stage = 0 } = company;
        return record.stages.includes(stage) ? { kind: 'statedStage', stage } : undefined;
      }
      case 'statedTags': {
        const tags = (company.tags ?? []).filter((tag) => record.tags.includes(tag));
        return tags.length > 0 ? { kind: 'statedTags', tags } : undefined;
      }
    }
  }

  #recency(investor: number): Fact | undefined {
    const last = this.#portfolios.ofInvestor(investor).at(-1);
    return last === undefined ? undefined : { kind: 'recency', day: this.#dayOf(last) };
  }

  #tenure(investor: number): Fact | undefined {
    const [first] = this.#portfolios.ofInvestor(investor);
    return first === undefined ? undefined : { kind: 'tenure', year: yearOf(this.#dayOf(first)) };
  }

  #companies(
    factor: (typeof PLACES_AND_TAGS)[number],
    investor: number,
    company: Company,
  ): Fact | undefined {
    const level = LEVELS[factor];
    if (level !== undefined && !company[level]) return undefined;
    const at = level && { level, company };
    const place = level === undefined ? {} : { place: company[level] ?? '' };
    if (!factor.startsWith('tag')) {
      return this.#counted('companies', this.#portfolios.select(investor, { at }), place);
    }
    return mostOf(
      (company.tags ?? []).map((tag) => {
        const rows = this.#portfolios.select(investor, { at, tag });
        return this.#counted('companies', rows, { tag, ...place });
      }),
    );
  }

  /** Rounds of the stage sought, in companies as similar as possible. */
  #rounds(investor: number, company: Company): Fact | undefined {
    const { stage: wanted = 0 } = company;
    if (wanted === 0) return undefined;
    const { stage, isLead } = this.#portfolios.data.investments;
    const tags = company.tags ?? [];
    const similar: readonly Similar[] = [
      ...(company.country ? tags.map((tag) => ({ tag, place: company.country ?? '' })) : []),
      ...tags.map((tag) => ({ tag })),
      ...(company.country ? [{ place: company.country }] : []),
      {},
    ];
    const facts = similar.map(({ tag, place }) => {
      const at = place === undefined ? undefined : { level: 'country' as const, company };
      const isWanted = (row: number) => stage[row] === wanted;
      const rows = this.#portfolios.select(investor, { at, tag, row: isWanted });
      const since = this.#sinceOf(rows);
      const count = this.#countSince(rows, since, 'round');
      const leads = rows.filter((row) => isLead[row] === 1);
      const led = this.#countSince(leads, since, 'round');
      const about = { ...(tag !== undefined && { tag }), ...(place !== undefined && { place }) };
      return { kind: 'rounds' as const, stage: wanted, ...about, count, since, led };
    });
    return facts.find(({ count }) => count >= 2) ?? facts.find(({ count }) => count > 0);
  }

  #amount(investor: number, amountUsd: number): Fact | undefined {
    if (amountUsd === 0) return undefined;
    const [fromUsd, toUsd] = [Math.round(amountUsd / AMOUNT_FACTOR), amountUsd * AMOUNT_FACTOR];
    const { amountUsd: amounts } = this.#portfolios.data.investments;
    const isSimilar = (row: number) => {
      const amount = amounts[row] ?? Number.NaN;
      return amount >= fromUsd && amount <= toUsd;
    };
    const rows = this.#portfolios.select(investor, { row: isSimilar });
    const since = this.#sinceOf(rows);
    const count = this.#countSince(rows, since, 'round');
    return count === 0 ? undefined : { kind: 'amount', count, since, fromUsd, toUsd };
  }

  /** The earlier investor of the company with which the investor shares most companies. */
  #partner(investor: number, { startup }: Company): Fact | undefined {
    if (startup === undefined) return undefined;
    const { investor: investors } = this.#portfolios.data.investments;
    const rows = this.#portfolios.ofStartup(startup);
    const joined = new Set(Array.from(rows, (row) => investors[row] ?? -1));
    joined.delete(investor);
    const partners = [...joined];
    const shared = this.#portfolios.sharedWith(investor, partners, startup);
    return mostOf(
      partners.map((partner, k) => ({ kind: 'partner' as const, partner, count: shared[k] ?? 0 })),
    );
  }

  #counted(kind: 'activity' | 'companies', rows: Uint32Array, about: Similar = {}) {
    const since = this.#sinceOf(rows);
    const count = this.#countSince(rows, since, 'startup');
    return count === 0 ? undefined : { kind, ...about, count, since };
  }

  #countSince(rows: Uint32Array, since: number, column: 'startup' | 'round'): number {
    return this.#portfolios.countDistinct(rows, column, Date.UTC(since, 0, 1) / MS_PER_DAY);
  }

  /** A recent year if much of it is recent, else the year of the first. */
  #sinceOf(rows: Uint32Array): number {
    const recentDay = Date.UTC(this.#recentYear, 0, 1) / MS_PER_DAY;
    const [first] = rows;
    const recent = rows.length - firstFrom(rows, (row) => this.#dayOf(row) >= recentDay);
    if (first === undefined || recent >= rows.length * RECENT_SHARE) return this.#recentYear;
    return yearOf(this.#dayOf(first));
  }

  #dayOf(row: number): number {
    return this.#portfolios.data.investments.day[row] ?? 0;
  }
}

/** The position from which on rows have a property; rows of equal order have it or not. */
function firstFrom(rows: Uint32Array, has: (row: number) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (has(rows[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function homeOf(investor: Investor, company: Company): Fact | undefined {
  if (!company.country || investor.country !== company.country) return undefined;
  const isInCity =
    company.city && investor.city === company.city && investor.region === company.region;
  return {
    kind: 'home',
    country: company.country,
    ...(isInCity && company.city !== undefined && { city: company.city }),
  };
}

function mostOf<T extends { readonly count: number }>(
  facts: readonly (T | undefined)[],
): T | undefined {
  let most: T | undefined;
  for (const fact of facts) {
    if (fact !== undefined && fact.count > (most?.count ?? 0)) most = fact;
  }
  return most;
}

function yearOf(day: number): number {
  return new Date(day * MS_PER_DAY).getUTCFullYear();
}
