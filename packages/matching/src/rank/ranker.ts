import { FEATURES, FeatureSpace } from '../features/features.ts';
import { type InvestmentData, type Query, UNKNOWN_DAY } from '../history/data.ts';
import { createHistory } from '../history/history.ts';
import { invert, type Lists, listOf, listsOf } from '../history/lists.ts';
import { resolveQuery } from '../history/resolve-query.ts';
import { createTimeline } from '../history/timeline.ts';
import { type Head, headOf, type RankingModel, readModel } from '../learn/model.ts';
import { scoreOf } from '../learn/score.ts';
import { nextDay } from '../learn/train.ts';
import { highest } from './highest.ts';
import { InvestorScorer } from './investor-scorer.ts';
import { Shortlist } from './shortlist.ts';

export interface RankOptions {
  /** Results at most. */
  readonly top: number;
  /** Indexes that are left out, besides the current investments. */
  readonly exclude?: ReadonlySet<number>;
  /** Also ranks those that invested already. */
  readonly includeCurrent?: boolean;
}

/** The part of one feature in a score. */
export interface Contribution {
  readonly feature: string;
  /** The feature's value. */
  readonly value: number;
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

export interface RankerOptions {
  /** Investments from this day on are ignored; by default all dated ones count. */
  readonly before?: number;
}

/** Candidates of which the features are computed, at least. */
const STARTUPS_MIN = 1500;
const NONE: ReadonlySet<number> = new Set();

/** Opens a model on data, which may be newer than that of its training. */
export function openRanker(
  stored: RankingModel,
  data: InvestmentData,
  options: RankerOptions = {},
): Ranker {
  const model = readModel(stored, FEATURES);
  const timeline = createTimeline(data);
  const before = options.before ?? nextDay(timeline);
  const history = createHistory(timeline, before);
  const space = new FeatureSpace(history);
  const scorer = new InvestorScorer(space);
  const shortlist = new Shortlist(history);
  const investorsOf = currentInvestors(data, before);
  const startupsOf = invert(investorsOf, data.investors.length);
  const row = new Float64Array(FEATURES.length);
  const resolve = (query: Query) => resolveQuery(timeline, query, before);
  return {
    rankInvestors(query, { top, exclude = NONE, includeCurrent = false }) {
      const resolved = resolve(query);
      const isLeftOut = Uint8Array.from(data.investors, (_, i) => (exclude.has(i) ? 1 : 0));
      if (query.startup !== undefined && !includeCurrent) {
        for (const i of listOf(investorsOf, query.startup)) isLeftOut[i] = 1;
      }
      const head = headOf(model, resolved);
      const candidates = [...data.investors.keys()].filter((i) => isLeftOut[i] === 0);
      const { investors, scores } = scorer.score(resolved, candidates, top, (features) =>
        logitOf(head, features),
      );
      return bestOf(investors, scores, data.investors, top).map((index) => {
        space.fill(index, row, 0);
        return explain(model, head, row, index, data.investors[index]?.id ?? '');
      });
    },
    rankStartups(investor, { top, exclude = NONE, includeCurrent = false }) {
      if (data.investors[investor] === undefined) throw new RangeError('no such investor');
      const setQuery = space.queriesFor(investor);
      const excluded = [...exclude, ...(includeCurrent ? [] : listOf(startupsOf, investor))];
      const fillFor = (s: number): Head => {
        const query = resolve({ startup: s });
        setQuery(query);
        space.fill(investor, row, 0);
        return headOf(model, query);
      };
      const likely = shortlist.of(investor, Math.max(STARTUPS_MIN, 3 * top), excluded);
      const logits = Float64Array.from(likely, (s) => logitOf(fillFor(s), row));
      return bestOf(likely, logits, data.startups, top).map((index) =>
        explain(model, fillFor(index), row, index, data.startups[index]?.id ?? ''),
      );
    },
  };
}

function logitOf({ weights, offset, slope }: Head, row: Float64Array): number {
  return offset + slope * scoreOf(weights, row);
}

/** The indexes of the highest logits, in order of id if equal. */
function bestOf(
  indexes: readonly number[],
  logits: Float64Array,
  records: readonly { readonly id: string }[],
  top: number,
): number[] {
  const idOf = (k: number) => records[indexes[k] as number]?.id ?? '';
  return highest(logits, top, (a, b) => compare(idOf(a), idOf(b))).map((k) => indexes[k] as number);
}

function explain(
  model: RankingModel,
  head: Head,
  row: Float64Array,
  index: number,
  id: string,
): Match {
  const parts = new Float64Array(row.length);
  let base = 0;
  for (let f = 0; f < row.length; f++) {
    const weight = head.weights[f] as number;
    const mean = model.means[f] as number;
    parts[f] = weight * ((row[f] as number) - mean);
    base += weight * mean;
  }
  const { offset, slope } = head;
  const contributions = FEATURES.map((feature, f) => ({
    ...{ feature, value: row[f] as number, logit: slope * (parts[f] as number) },
  }));
  const logit = logitOf(head, row);
  return {
    ...{ index, id, score: 1 / (1 + Math.exp(-logit)), logit, base: offset + slope * base },
    contributions: contributions
      .filter((part) => part.logit !== 0)
      .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit)),
  };
}

/** The investors of each startup before a day; undated investments count, too. */
function currentInvestors({ startups, investments }: InvestmentData, before: number): Lists {
  const { startup, investor, day } = investments;
  return listsOf(startups.length, (give) => {
    for (let row = 0; row < day.length; row++) {
      if (day[row] === UNKNOWN_DAY || (day[row] as number) < before) {
        give(startup[row] as number, investor[row] as number);
      }
    }
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
