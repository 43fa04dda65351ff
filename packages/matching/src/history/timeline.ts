import { type InvestmentData, UNKNOWN_DAY } from './data.ts';
import { Growing } from './growing.ts';
import { type Lists, listOf, listsOf } from './lists.ts';
import {
  placeAndTagValues,
  placeOf,
  roundValues,
  type Situation,
  situationValues,
  Vocabulary,
} from './values.ts';

/** Earlier and parallel investors of one company beyond this number each are ignored. */
const PARTNERS_MAX = 40;

/**
 * The dated investments in order of time. An event is the first investment of an investor in a
 * company; its values are those that the company had the day before, and the round's own.
 */
export interface Timeline {
  readonly data: InvestmentData;
  readonly vocabulary: Vocabulary;
  /** The place of each investor. */
  readonly homes: readonly (readonly string[])[];
  /** Values of each startup that do not change. */
  readonly statics: Lists;
  /** Rows of dated investments by startup, in order of day, round and investor. */
  readonly companies: Lists;
  /** Events of each investor, in order of startup. */
  readonly events: Lists;
  /** Row of each event, and the rounds of the company before it. */
  readonly eventRow: Uint32Array;
  readonly eventDepth: Uint8Array;
  /** Values of each event besides those of its startup: from `start[e]` up to `start[e + 1]`. */
  readonly values: Lists;
  /** First and last day, `UNKNOWN_DAY` if no investment has a date. */
  readonly firstDay: number;
  readonly lastDay: number;
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
  const start = new Uint32Array(data.startups.length + 1);
  const items = new Growing(Uint32Array);
  data.startups.forEach((startup, s) => {
    for (const value of placeAndTagValues(startup, (f, key) => vocabulary.add(f, key))) {
      items.push(value);
    }
    start[s + 1] = items.length;
  });
  const companies = rowsByCompany(data);
  const { day } = data.investments;
  let firstDay = UNKNOWN_DAY;
  let lastDay = UNKNOWN_DAY;
  for (const row of companies.items) {
    const on = day[row] as number;
    firstDay = firstDay === UNKNOWN_DAY ? on : Math.min(firstDay, on);
    lastDay = Math.max(lastDay, on);
  }
  return {
    ...{ data, vocabulary, statics: { start, items: items.done() }, companies, firstDay, lastDay },
    ...{ homes: data.investors.map(placeOf), ...listEvents(data, vocabulary, companies) },
  };
}

/** The situation of a startup before a day. */
export function situationBefore(timeline: Timeline, startup: number, before: number): Situation {
  const state = new State(timeline.data);
  for (const row of listOf(timeline.companies, startup)) {
    if ((timeline.data.investments.day[row] as number) >= before) break;
    state.add(row);
  }
  return state.situation();
}

/** The state of a company after some of its rows. */
class State {
  readonly investors = new Set<number>();
  readonly #data: InvestmentData;
  readonly #rounds = new Set<number>();
  #lastStage = 0;
  #lastAmount = Number.NaN;
  #lastDay = UNKNOWN_DAY;

  constructor(data: InvestmentData) {
    this.#data = data;
  }

  add(row: number): void {
    const { day, round, stage, investor, amountUsd } = this.#data.investments;
    this.#rounds.add(round[row] as number);
    this.investors.add(investor[row] as number);
    this.#lastStage = (stage[row] as number) || this.#lastStage;
    this.#lastAmount = (amountUsd[row] as number) || this.#lastAmount;
    this.#lastDay = day[row] as number;
  }

  situation(): Situation {
    return {
      ...{ depth: this.#rounds.size, lastStage: this.#lastStage, lastAmount: this.#lastAmount },
      ...{ lastDay: this.#lastDay, investors: [...this.investors] },
    };
  }
}

function rowsByCompany(data: InvestmentData): Lists {
  const { startup, investor, day, round } = data.investments;
  const companies = listsOf(data.startups.length, (give) => {
    for (let row = 0; row < day.length; row++) {
      if (day[row] !== UNKNOWN_DAY) give(startup[row] as number, row);
    }
  });
  for (const s of data.startups.keys()) {
    listOf(companies, s).sort(
      (a, b) =>
        (day[a] as number) - (day[b] as number) ||
        (round[a] as number) - (round[b] as number) ||
        (investor[a] as number) - (investor[b] as number),
    );
  }
  return companies;
}

function listEvents(
  data: InvestmentData,
  vocabulary: Vocabulary,
  companies: Lists,
): Pick<Timeline, 'events' | 'eventRow' | 'eventDepth' | 'values'> {
  const rows = new Growing(Uint32Array);
  const depths = new Growing(Uint8Array);
  const starts = new Growing(Uint32Array);
  const values = new Growing(Uint32Array);
  for (const s of data.startups.keys()) {
    listCompany(data, vocabulary, listOf(companies, s), (row, depth, found) => {
      rows.push(row);
      depths.push(Math.min(depth, 255));
      starts.push(values.length);
      for (const value of found) values.push(value);
    });
  }
  starts.push(values.length);
  const eventRow = rows.done();
  const { investor } = data.investments;
  return {
    events: listsOf(data.investors.length, (give) => {
      eventRow.forEach((row, e) => {
        give(investor[row] as number, e);
      });
    }),
    ...{ eventRow, eventDepth: depths.done() },
    values: { start: starts.done(), items: values.done() },
  };
}

/** The events of a company. Rows of one day do not know each other. */
function listCompany(
  data: InvestmentData,
  vocabulary: Vocabulary,
  rows: Uint32Array,
  onEvent: (row: number, depth: number, values: readonly number[]) => void,
): void {
  const { investor, day, stage, amountUsd, startup } = data.investments;
  const add = vocabulary.add.bind(vocabulary);
  const state = new State(data);
  let from = 0;
  while (from < rows.length) {
    const first = rows[from] as number;
    let to = from + 1;
    while (to < rows.length && day[rows[to] as number] === day[first]) to++;
    const company = data.startups[startup[first] as number] ?? {};
    const situation = state.situation();
    const shared = situationValues(situation, company, day[first] as number, add);
    const group = rows.subarray(from, to);
    const known = situation.investors.slice(-PARTNERS_MAX);
    const joining = [...new Set(group.map((row) => investor[row] as number))]
      .filter((i) => !state.investors.has(i))
      .slice(0, PARTNERS_MAX);
    for (const row of group) {
      if (!state.investors.has(investor[row] as number)) {
        const own = roundValues(company, stage[row] as number, amountUsd[row] as number, add);
        const others = joining.filter((i) => i !== investor[row]);
        onEvent(row, situation.depth, [...shared, ...own, ...known, ...others]);
      }
      state.add(row);
    }
    from = to;
  }
}

/** The day after the last investment. */
export function nextDay({ lastDay }: Timeline): number {
  return lastDay === UNKNOWN_DAY ? 0 : lastDay + 1;
}
