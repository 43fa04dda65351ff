import { type Evidence, evidenceOf } from '../features/evidence.ts';
import { FEATURES, fillFeatures } from '../features/features.ts';
import { type InvestmentData, type Query, UNKNOWN_DAY } from '../history/data.ts';
import { createHistory, type History } from '../history/history.ts';
import { type ResolvedQuery, resolveQuery } from '../history/resolve-query.ts';
import { createTimeline } from '../history/timeline.ts';
import { type Head, type RankingModel, readModel } from '../learn/model.ts';
import { scoreOf } from '../learn/score.ts';
import { nextDay } from '../learn/train.ts';
import { explainTree } from '../learn/tree.ts';

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
  /** Counted facts about the pair, from the data. */
  readonly evidence: readonly Evidence[];
}

export interface Ranker {
  /** The investors most likely to join a company, best first; equal scores in order of id. */
  rankInvestors(query: Query, options: RankOptions): Match[];
  /** The startups that an investor is most likely to join, best first. Throws a RangeError. */
  rankStartups(investor: number, options: RankOptions): Match[];
}

export interface RankerOptions {
  /** Investments from this day on are ignored; by default all dated ones count. */
  readonly before?: number;
}

/** Opens a model on data, which may be newer than that of its training. */
export function openRanker(
  model: RankingModel,
  data: InvestmentData,
  options: RankerOptions = {},
): Ranker {
  const checked = readModel(model, FEATURES);
  const timeline = createTimeline(data);
  const before = options.before ?? nextDay(timeline);
  const history = createHistory(timeline, before);
  const current = currentPairs(data, before);
  const row = new Float64Array(FEATURES.length);
  const rank = (pairs: readonly Pair[], top: number, idOf: (index: number) => string): Match[] => {
    const scored = pairs.map((pair) => {
      fillFeatures(history, pair.query, pair.investor, row, 0);
      return { pair, logit: logitOf(headOf(checked, pair.query), row) };
    });
    scored.sort((a, b) => b.logit - a.logit || compare(idOf(a.pair.index), idOf(b.pair.index)));
    return scored
      .slice(0, top)
      .map(({ pair }) => explain(checked, history, pair, idOf(pair.index)));
  };
  return {
    rankInvestors(query, { top, exclude, includeCurrent = false }) {
      const resolved = resolveQuery(timeline, query, before);
      const current_ =
        query.startup === undefined || includeCurrent ? NONE : current.of(query.startup);
      const pairs = data.investors.flatMap(({ isClosed }, index): Pair[] =>
        isClosed || exclude?.has(index) || current_.has(index)
          ? []
          : [{ index, investor: index, query: resolved }],
      );
      return rank(pairs, top, (index) => data.investors[index]?.id ?? '');
    },
    rankStartups(investor, { top, exclude, includeCurrent = false }) {
      if (data.investors[investor] === undefined) throw new RangeError('no such investor');
      const pairs = data.startups.flatMap((_, index): Pair[] =>
        exclude?.has(index) || (!includeCurrent && current.of(index).has(investor))
          ? []
          : [{ index, investor, query: resolveQuery(timeline, { startup: index }, before) }],
      );
      return rank(pairs, top, (index) => data.startups[index]?.id ?? '');
    },
  };
}

interface Pair {
  readonly index: number;
  readonly investor: number;
  readonly query: ResolvedQuery;
}

const NONE: ReadonlySet<number> = new Set();

function headOf(model: RankingModel, query: ResolvedQuery): Head {
  return query.isWarm ? model.warm : model.cold;
}

function logitOf(head: Head, row: Float64Array): number {
  return head.offset + head.slope * scoreOf(head, row);
}

function explain(model: RankingModel, history: History, pair: Pair, id: string): Match {
  const head = headOf(model, pair.query);
  const row = new Float64Array(FEATURES.length);
  fillFeatures(history, pair.query, pair.investor, row, 0);
  const parts = new Float64Array(FEATURES.length);
  let base = 0;
  for (let f = 0; f < row.length; f++) {
    const weight = head.weights[f] as number;
    const mean = model.means[f] as number;
    parts[f] = weight * ((row[f] as number) - mean);
    base += weight * mean;
  }
  for (const tree of head.trees) base += explainTree(tree, row, parts);
  const contributions = FEATURES.map((feature, f) => ({
    ...{ feature, value: row[f] as number, logit: head.slope * (parts[f] as number) },
  }));
  const logit = logitOf(head, row);
  return {
    ...{ index: pair.index, id, score: 1 / (1 + Math.exp(-logit)), logit },
    base: head.offset + head.slope * base,
    contributions: contributions
      .filter((part) => part.logit !== 0)
      .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit)),
    evidence: evidenceOf(history, pair.query, pair.investor),
  };
}

/** Who invested in a startup before a day; undated investments count, too. */
function currentPairs(data: InvestmentData, before: number) {
  const { startup, investor, day } = data.investments;
  const investors = new Map<number, Set<number>>();
  for (let row = 0; row < day.length; row++) {
    if (day[row] !== UNKNOWN_DAY && (day[row] as number) >= before) continue;
    const s = startup[row] as number;
    const known = investors.get(s) ?? new Set();
    investors.set(s, known.add(investor[row] as number));
  }
  return { of: (index: number): ReadonlySet<number> => investors.get(index) ?? NONE };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
