import type { Criteria, InvestmentData, Match, Ranker, Startup } from '@vcds/matching';
import { type Company, Facts } from './facts.ts';
import { Portfolios } from './portfolios.ts';
import type { RankedHit, RankRequest, Reason } from './ranker.ts';
import { raisedBy, reasonsOf } from './reasons.ts';

const SCORE_DIGITS = 4;

/** A loaded model with the records that it was trained on. */
export class Matcher {
  readonly version: string;
  readonly #ranker: Ranker;
  readonly #data: InvestmentData;
  readonly #facts: Facts;
  readonly #investors: ReadonlyMap<string, number>;
  readonly #startups: ReadonlyMap<string, number>;

  constructor(version: string, ranker: Ranker, data: InvestmentData) {
    this.version = version;
    this.#ranker = ranker;
    this.#data = data;
    this.#facts = new Facts(new Portfolios(data));
    this.#investors = indexOf(data.investors);
    this.#startups = indexOf(data.startups);
  }

  /** The best hits first, equal scores by id; null if the model was trained without the fund of the request. */
  rank(request: RankRequest): readonly RankedHit[] | null {
    const { subject, excluded, limit: top } = request;
    const excludes = (indexOfId: ReadonlyMap<string, number>) => ({
      top,
      exclude: new Set(excluded.flatMap((id) => indexOfId.get(id) ?? [])),
    });
    if (subject?.type !== 'fund') {
      const options = excludes(this.#investors);
      return hitsOf(this.#ranker.rankInvestors(this.#queryOf(request).query, options));
    }
    const investor = this.#investors.get(subject.id);
    if (investor === undefined) return null;
    return hitsOf(this.#ranker.rankStartups(investor, excludes(this.#startups)));
  }

  /** The reasons of hits of a request. */
  explain(request: RankRequest, hits: readonly RankedHit[]): readonly Reason[][] {
    const { subject } = request;
    const fund = subject?.type === 'fund' ? this.#investors.get(subject.id) : undefined;
    const company = this.#queryOf(request).company;
    return hits.map(({ id, factors }) => {
      const investor = fund ?? this.#investors.get(id) ?? -1;
      const of = fund === undefined ? company : this.#companyOf(id);
      return reasonsOf(factors, (factor) => this.#facts.of(factor, investor, of)).map((reason) => {
        if (reason.fact.kind !== 'partner') return reason;
        const partnerId = this.#data.investors[reason.fact.partner]?.id;
        return partnerId === undefined ? reason : { ...reason, partnerId };
      });
    });
  }

  #companyOf(id: string): Company {
    const startup = this.#startups.get(id) ?? -1;
    return { ...this.#data.startups[startup], startup };
  }

  #queryOf({ subject, record, criteria }: RankRequest) {
    const startup = subject?.type === 'startup' ? this.#startups.get(subject.id) : undefined;
    // A country replaces the region and city too; the ranker does so for startups of the model.
    const place = criteria.country === undefined ? {} : { region: '', city: '' };
    const query =
      startup === undefined ? { ...record, ...place, ...criteria } : { startup, ...criteria };
    const company = companyOf(startup === undefined ? record : this.#data.startups[startup], query);
    return { query, company };
  }
}

/** Scores that are equal after rounding are in order of id. */
function hitsOf(matches: readonly Match[]): readonly RankedHit[] {
  return matches.map(hitOf).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function hitOf({ id, score, contributions }: Match): RankedHit {
  const digits = Number(score.toPrecision(SCORE_DIGITS));
  return { id, score: digits, factors: raisedBy(contributions) };
}

/** The company as the ranking reads it: a criterion replaces the property, a country the place. */
function companyOf(
  record: Startup | Criteria | undefined,
  query: Criteria & { readonly startup?: number },
): Company {
  const { country, region, city } = query.country ? query : { ...record };
  return {
    ...record,
    ...query,
    ...(country !== undefined && { country }),
    ...{ region: region ?? '', city: city ?? '' },
  };
}

function indexOf(records: readonly { readonly id: string }[]): ReadonlyMap<string, number> {
  return new Map(records.map(({ id }, index) => [id, index]));
}
