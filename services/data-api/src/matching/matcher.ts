import type { Criteria, InvestmentData, Match, Ranker, RankOptions, Startup } from '@vcds/matching';
import { type Company, Facts } from './facts.ts';
import { Portfolios } from './portfolios.ts';
import type { RankedHit, RankRequest } from './ranker.ts';
import { reasonsOf } from './reasons.ts';

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

  /** The best hits first; null if the model was trained without the fund of the request. */
  rank(request: RankRequest): readonly RankedHit[] | null {
    const { subject, includesCurrent: includeCurrent, limit: top } = request;
    const options = { top, includeCurrent };
    if (subject?.type !== 'fund') return this.#rankInvestors(request, options);
    const investor = this.#investors.get(subject.id);
    if (investor === undefined) return null;
    const matches = this.#ranker.rankStartups(investor, options);
    return matches.map((match) => {
      const startup = this.#data.startups[match.index];
      return this.#hit(match, investor, { ...startup, startup: match.index });
    });
  }

  #rankInvestors({ subject, record, criteria }: RankRequest, options: RankOptions) {
    const index = subject === undefined ? undefined : this.#startups.get(subject.id);
    const query =
      index === undefined ? { ...record, ...criteria } : { startup: index, ...criteria };
    const company = companyOf(index === undefined ? record : this.#data.startups[index], query);
    return this.#ranker
      .rankInvestors(query, options)
      .map((match) => this.#hit(match, match.index, company));
  }

  #hit(match: Match, investor: number, company: Company): RankedHit {
    const reasons = reasonsOf(match.contributions, (factor) =>
      this.#facts.of(factor, investor, company),
    );
    return {
      id: match.id,
      score: Number(match.score.toPrecision(SCORE_DIGITS)),
      reasons: reasons.map((reason) => {
        if (reason.fact.kind !== 'partner') return reason;
        const partnerId = this.#data.investors[reason.fact.partner]?.id;
        return partnerId === undefined ? reason : { ...reason, partnerId };
      }),
    };
  }
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
