import { FEATURES, fillFeatures } from '../features/features.ts';
import type { InvestmentData, Query } from '../history/data.ts';
import { createHistory } from '../history/history.ts';
import { type ResolvedQuery, resolveQuery } from '../history/query.ts';
import { createTimeline, nextDay } from '../history/timeline.ts';
import { headOf, type RankingModel, readModel, scoreOf } from '../learn/model.ts';
import { highest } from './highest.ts';
import { Shortlist } from './shortlist.ts';

export interface RankOptions {
  /** Results at most. */
  readonly top: number;
  /** Indexes that are left out. */
  readonly exclude?: ReadonlySet<number>;
}

/** The part of one feature in a score. */
export interface Contribution {
  readonly feature: string;
  /** The part of the logit, compared with the average candidate. */
  readonly logit: number;
}

export interface Match {
  /** Index of the investor or of the startup. */
  readonly index: number;
  readonly id: string;
  /** Probability from 0 to 1 that the investor joins the company within the training horizon. */
  readonly score: number;
  /** `logit` is `base` plus the logits of the contributions. */
  readonly logit: number;
  readonly base: number;
  /** In order of size, the largest first; those of 0 are left out. */
  readonly contributions: readonly Contribution[];
}

export interface Ranker {
  /**
   * The investors most likely to join a company, best first; equal scores in order of id. Of many
   * investors, only those with the highest quick scores are ranked.
   */
  rankInvestors(query: Query, options: RankOptions): Match[];
  /**
   * The startups that an investor is most likely to join, best first: the best of a shortlist of
   * those most like its own. Throws a RangeError for an index that is not in the data.
   */
  rankStartups(investor: number, options: RankOptions): Match[];
}

/** A pair to be ranked, by the index that a hit has. */
interface Pair {
  readonly index: number;
  readonly id: string;
  readonly investor: number;
  readonly query: ResolvedQuery;
}

const NONE: ReadonlySet<number> = new Set();

/** Opens a model on data, which may be newer than that of its training. */
export function openRanker(stored: RankingModel, data: InvestmentData): Ranker {
  const model = readModel(stored, FEATURES);
  const timeline = createTimeline(data);
  const history = createHistory(timeline, nextDay(timeline));
  const shortlist = new Shortlist(history);
  const row = new Float64Array(FEATURES.length);
  const resolve = (query: Query) => resolveQuery(timeline, query, history.cut);
  const best = (pairs: readonly Pair[], top: number): Match[] => {
    const logits = Float64Array.from(pairs, ({ investor, query }) => {
      fillFeatures(history, query, investor, row);
      const { weights, offset, slope } = headOf(model, query);
      return offset + slope * scoreOf(weights, row);
    });
    const idOf = (k: number) => pairs[k]?.id ?? '';
    return highest(logits, top, (a, b) => (idOf(a) < idOf(b) ? -1 : 1)).flatMap((k) => {
      const pair = pairs[k];
      if (pair === undefined) return [];
      fillFeatures(history, pair.query, pair.investor, row);
      return [explain(model, pair, row)];
    });
  };
  return {
    rankInvestors(written, { top, exclude = NONE }) {
      const query = resolve(written);
      const candidates = [...data.investors.keys()].filter((i) => !exclude.has(i));
      const pairs = shortlist
        .investors(query, candidates, top)
        .map((i) => ({ index: i, id: data.investors[i]?.id ?? '', investor: i, query }));
      return best(pairs, top);
    },
    rankStartups(investor, { top, exclude = NONE }) {
      if (data.investors[investor] === undefined) throw new RangeError('no such investor');
      const pairs = shortlist.startups(investor, exclude, top).map((s) => {
        return {
          index: s,
          id: data.startups[s]?.id ?? '',
          investor,
          query: resolve({ startup: s }),
        };
      });
      return best(pairs, top);
    },
  };
}

function explain(model: RankingModel, { index, id, query }: Pair, row: Float64Array): Match {
  const { weights, offset, slope } = headOf(model, query);
  const { means } = model;
  const contributions = FEATURES.map((feature, f) => {
    const away = (row[f] as number) - (means[f] as number);
    return { feature, logit: slope * (weights[f] as number) * away };
  });
  const logit = offset + slope * scoreOf(weights, row);
  return {
    ...{ index, id, score: 1 / (1 + Math.exp(-logit)), logit },
    base: offset + slope * scoreOf(weights, means),
    contributions: contributions
      .filter((part) => part.logit !== 0)
      .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit)),
  };
}
