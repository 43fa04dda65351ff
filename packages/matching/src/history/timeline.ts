import { type Criteria, type InvestmentData, type Startup, UNKNOWN_DAY } from './data.ts';
import { GrowingUint32 } from './growing.ts';
import { invert, type Lists, listsOf } from './lists.ts';
import {
  ageBucket,
  amountBucket,
  depthBucket,
  type Family,
  keysOf,
  pauseBucket,
  placeAndTagValues,
  roundValues,
  Vocabulary,
} from './values.ts';

/** Earlier investors of one company beyond this number, the oldest first, are ignored. */
const EARLIER_MAX = 40;
/** Co-investors of one round beyond this number are ignored. */
const SAME_ROUND_MAX = 40;

/**
 * The dated investments in order of time. An event is the first investment of an investor in a
 * company; its values are those that the company had the day before, and the round's own.
 */
export interface Timeline {
  readonly data: InvestmentData;
  readonly vocabulary: Vocabulary;
  /** Values of startup s: `staticValues` from `staticStart[s]` up to `staticStart[s + 1]`. */
  readonly staticStart: Uint32Array;
  readonly staticValues: Uint32Array;
  /** Startups of each static value, ascending. */
  readonly startupsOfValue: Lists;
  /** Rows of dated investments by startup, in order of day, round and investor. */
  readonly companyStart: Uint32Array;
  readonly companyRows: Uint32Array;
  /** Events of investor i: from `eventStart[i]` up to `eventStart[i + 1]`, in order of startup. */
  readonly eventStart: Uint32Array;
  readonly eventRow: Uint32Array;
  /** Rounds of the company before the event. */
  readonly eventDepth: Uint8Array;
  /** Values of event e besides those of its startup. */
  readonly valueStart: Uint32Array;
  readonly values: Uint32Array;
  /** First and last day, `UNKNOWN_DAY` if no investment has a date. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The state of a company before a day, without its place and tags. */
export interface Situation {
  /** Rounds before. */
  readonly depth: number;
  /** The last known stage, 0 if none. */
  readonly lastStage: number;
  /** The last known amount in USD, NaN if none. */
  readonly lastAmount: number;
  /** Day of the last investment, `UNKNOWN_DAY` if none. */
  readonly lastDay: number;
  /** Distinct investors, the first ones first. */
  readonly investors: readonly number[];
}

/**
 * Orders the dated investments and lists the events. Undated investments are left out, unless none
 * has a date: then all count as made on day 0.
 */
export function createTimeline(given: InvestmentData): Timeline {
  const { investments } = given;
  const isDated = investments.day.some((on) => on !== UNKNOWN_DAY);
  const data = isDated
    ? given
    : { ...given, investments: { ...investments, day: investments.day.map(() => 0) } };
  const vocabulary = new Vocabulary(data.investors.length);
  const staticStart = new Uint32Array(data.startups.length + 1);
  const staticValues = new GrowingUint32();
  data.startups.forEach((startup, s) => {
    for (const value of placeAndTagValues(startup, (f, key) => vocabulary.add(f, key))) {
      staticValues.push(value);
    }
    staticStart[s + 1] = staticValues.length;
  });
  const companies = rowsByCompany(data);
  const { day } = data.investments;
  let firstDay = UNKNOWN_DAY;
  let lastDay = UNKNOWN_DAY;
  for (const row of companies.companyRows) {
    const on = day[row] as number;
    firstDay = firstDay === UNKNOWN_DAY ? on : Math.min(firstDay, on);
    lastDay = Math.max(lastDay, on);
  }
  const statics = { start: staticStart, items: staticValues.toArray() };
  const startupsOfValue = invert(statics, vocabulary.size);
  return {
    ...{
      data,
      vocabulary,
      staticStart,
      staticValues: statics.items,
      startupsOfValue,
      ...companies,
    },
    ...listEvents(data, vocabulary, companies),
    ...{ firstDay, lastDay },
  };
}

/** The situation of a startup before a day. */
export function situationBefore(timeline: Timeline, startup: number, before: number): Situation {
  const { day, round, stage, investor, amountUsd } = timeline.data.investments;
  const rounds = new Set<number>();
  const investors = new Set<number>();
  let lastStage = 0;
  let lastAmount = Number.NaN;
  let lastDay = UNKNOWN_DAY;
  const end = timeline.companyStart[startup + 1] as number;
  for (let k = timeline.companyStart[startup] as number; k < end; k++) {
    const row = timeline.companyRows[k] as number;
    if ((day[row] as number) >= before) break;
    rounds.add(round[row] as number);
    investors.add(investor[row] as number);
    lastStage = (stage[row] as number) || lastStage;
    lastAmount = (amountUsd[row] as number) || lastAmount;
    lastDay = day[row] as number;
  }
  return { depth: rounds.size, lastStage, lastAmount, lastDay, investors: [...investors] };
}

/** The values of a company in a situation, as they are counted for events. */
export function situationValues(
  vocabulary: Vocabulary,
  situation: Situation,
  company: Startup | Criteria,
  day: number,
  intern: (family: Family, key: string) => number | undefined,
): number[] {
  const age = ageBucket(company.founded ?? 0, day);
  const amount = amountBucket(situation.lastAmount);
  const { tags, region } = keysOf(company);
  const depth = depthBucket(situation.depth);
  const isFirst = situation.depth === 0 ? 'first' : 'later';
  const values = [
    age && intern('age', age),
    intern('depth', depth),
    ...tags.map((tag) => intern('tagDepth', `${tag}|${isFirst}`)),
    region && intern('regionDepth', `${region}|${isFirst}`),
    situation.lastStage > 0 && intern('lastStage', String(situation.lastStage)),
    amount && intern('lastAmount', amount),
    situation.depth > 0 && intern('pause', pauseBucket(day - situation.lastDay)),
    ...situation.investors.slice(-EARLIER_MAX).map((j) => vocabulary.earlierInvestor(j)),
  ];
  return values.filter((value) => typeof value === 'number');
}

type Companies = Pick<Timeline, 'companyStart' | 'companyRows'>;

function rowsByCompany(data: InvestmentData): Companies {
  const { startup, investor, day, round } = data.investments;
  const { start: companyStart, items: companyRows } = listsOf(data.startups.length, (give) => {
    for (let row = 0; row < day.length; row++) {
      if (day[row] !== UNKNOWN_DAY) give(startup[row] as number, row);
    }
  });
  for (let s = 0; s < data.startups.length; s++) {
    companyRows
      .subarray(companyStart[s], companyStart[s + 1])
      .sort(
        (a, b) =>
          (day[a] as number) - (day[b] as number) ||
          (round[a] as number) - (round[b] as number) ||
          (investor[a] as number) - (investor[b] as number),
      );
  }
  return { companyStart, companyRows };
}

type Events = Pick<Timeline, 'eventStart' | 'eventRow' | 'eventDepth' | 'valueStart' | 'values'>;

function listEvents(data: InvestmentData, vocabulary: Vocabulary, companies: Companies): Events {
  const rows = new GrowingUint32();
  const depths = new GrowingUint32();
  const starts = new GrowingUint32();
  const values = new GrowingUint32();
  for (let s = 0; s < data.startups.length; s++) {
    const inCompany = companies.companyRows.subarray(
      companies.companyStart[s],
      companies.companyStart[s + 1],
    );
    listCompany(data, vocabulary, inCompany, (row, depth, found) => {
      rows.push(row);
      depths.push(depth);
      starts.push(values.length);
      for (const value of found) values.push(value);
    });
  }
  starts.push(values.length);
  return orderByInvestor(
    data,
    rows.toArray(),
    depths.toArray(),
    starts.toArray(),
    values.toArray(),
  );
}

type OnEvent = (row: number, depth: number, values: readonly number[]) => void;

function listCompany(
  data: InvestmentData,
  vocabulary: Vocabulary,
  rows: Uint32Array,
  onEvent: OnEvent,
): void {
  const { investor, day, round, stage, amountUsd, startup } = data.investments;
  const add = (family: Family, key: string) => vocabulary.add(family, key);
  const known = new Set<number>();
  const rounds = new Set<number>();
  let lastStage = 0;
  let lastAmount = Number.NaN;
  let lastDay = UNKNOWN_DAY;
  let from = 0;
  while (from < rows.length) {
    const first = rows[from] as number;
    let to = from + 1;
    while (to < rows.length && day[rows[to] as number] === day[first]) to++;
    const company = data.startups[startup[first] as number] ?? {};
    const situation = {
      ...{ depth: rounds.size, lastStage, lastAmount, lastDay, investors: [...known] },
    };
    const shared = situationValues(vocabulary, situation, company, day[first] as number, add);
    const group = rows.subarray(from, to);
    const joining = new Set<number>();
    for (const row of group) joining.add(investor[row] as number);
    const parallel = [...joining].slice(0, SAME_ROUND_MAX);
    for (const row of group) {
      const i = investor[row] as number;
      if (known.has(i)) continue;
      known.add(i);
      const own = [
        ...shared,
        ...roundValues(company, stage[row] as number, amountUsd[row] as number, add),
      ];
      for (const j of parallel) if (j !== i) own.push(vocabulary.sameRound(j));
      onEvent(row, Math.min(situation.depth, 255), own);
    }
    for (const row of group) {
      rounds.add(round[row] as number);
      lastStage = (stage[row] as number) || lastStage;
      lastAmount = (amountUsd[row] as number) || lastAmount;
    }
    lastDay = day[first] as number;
    from = to;
  }
}

function orderByInvestor(
  data: InvestmentData,
  rows: Uint32Array,
  depths: Uint32Array,
  starts: Uint32Array,
  values: Uint32Array,
): Events {
  const { investor } = data.investments;
  const eventStart = new Uint32Array(data.investors.length + 1);
  for (const row of rows) {
    const next = (investor[row] as number) + 1;
    eventStart[next] = (eventStart[next] as number) + 1;
  }
  for (let i = 1; i < eventStart.length; i++) {
    eventStart[i] = (eventStart[i] as number) + (eventStart[i - 1] as number);
  }
  const order = new Uint32Array(rows.length);
  const filled = eventStart.slice();
  for (let e = 0; e < rows.length; e++) {
    const i = investor[rows[e] as number] as number;
    order[filled[i] as number] = e;
    filled[i] = (filled[i] as number) + 1;
  }
  const ordered = new Uint32Array(values.length);
  const valueStart = new Uint32Array(rows.length + 1);
  for (let k = 0; k < order.length; k++) {
    const e = order[k] as number;
    const of = values.subarray(starts[e], starts[e + 1]);
    ordered.set(of, valueStart[k]);
    valueStart[k + 1] = (valueStart[k] as number) + of.length;
  }
  return {
    eventStart,
    eventRow: order.map((e) => rows[e] as number),
    eventDepth: Uint8Array.from(order, (e) => depths[e] as number),
    valueStart,
    values: ordered,
  };
}
