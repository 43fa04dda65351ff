import { ApiError } from '@vcds/service-kit';
import type { Answer, Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import { type CursorSeal, FEED_START, type FeedPlace } from './cursor.ts';
import { signalJson } from './json.ts';
import { LOOK_LIMITS, type LookLimits } from './look-limits.ts';
import { type NarrowedSignals, narrowSignals } from './narrow-signals.ts';
import type { SignalsPlan } from './plan.ts';
import type { FeedRange, Lanes, PlaceRow, ScanRow, SignalRow } from './scan.ts';
import { compileGather, compileScan, type Residual, timestampOf } from './scan-sql.ts';
import { SIGNAL_TYPES, type SignalType } from './signal-types.ts';

export interface FeedSources {
  readonly database: Database;
  /** What writes the cursors of the change feed. */
  readonly cursors: CursorSeal;
  /** In place of {@link LOOK_LIMITS}. For tests. */
  readonly lookLimits?: Partial<LookLimits> | undefined;
}

/**
 * Reads a page (docs/spec/signals.md 9.4). Looks along indexes in the order of the feed, in looks
 * of bounded size, until the page is full or the end is reached. A page that stops in between is
 * never empty, and the cursor always says how far was looked.
 *
 * @throws ApiError `unavailable` when nothing matching was found in time.
 */
export async function readSignals(plan: SignalsPlan, sources: FeedSources): Promise<Answer> {
  const page = await new PageReader(plan, sources).read();
  const body = {
    signals: page.rows.map(signalJson),
    nextCursor: sources.cursors.seal(page.reached, plan.order),
    hasMore: page.hasMore,
    order: plan.order,
  };
  return { body: JSON.stringify(body), records: page.rows.length, more: page.hasMore };
}

interface Page {
  readonly rows: readonly SignalRow[];
  readonly reached: FeedPlace;
  readonly hasMore: boolean;
}

class PageReader {
  readonly #plan: SignalsPlan;
  readonly #database: Database;
  readonly #limits: LookLimits;
  readonly #narrowed: NarrowedSignals;
  readonly #startedMs = performance.now();
  readonly #rows: SignalRow[] = [];
  #range: FeedRange;
  #lanes: Lanes;

  constructor(plan: SignalsPlan, { database, lookLimits }: FeedSources) {
    this.#plan = plan;
    this.#database = database;
    this.#limits = { ...LOOK_LIMITS, ...lookLimits };
    this.#narrowed = narrowSignals(carrying(plan), plan.narrowing);
    this.#range = rangeOf(plan);
    this.#lanes = lanesOf(plan, this.#narrowed.types);
  }

  async read(): Promise<Page> {
    const isSelective = this.#isSelective();
    let candidates = this.#limits.candidatesFirst;
    for (let look = 1; ; look++) {
      const found = await this.#look(isSelective ? candidates : 0);
      if (found !== undefined) return found;
      if (look === this.#limits.looksBeforeGathering) {
        const gathered = await this.#gather();
        if (gathered !== undefined) return gathered;
      }
      this.#assertInTime();
      candidates = Math.min(candidates * this.#limits.growth, this.#limits.candidatesMax);
    }
  }

  /** One look along the lanes; a page when it is full, when the end is reached, or late. */
  async #look(candidates: number): Promise<Page | undefined> {
    const step = Math.max(Math.ceil(candidates / laneCount(this.#lanes)), this.#wanted);
    const scan = { ...this.#view(), lanes: this.#lanes, step };
    const [result] = await this.#database.rows<ScanRow>(
      compileScan(scan, this.#alongLanes, this.#plan.expands),
    );
    if (result === undefined) throw new Error('A look answers one row.');
    this.#rows.push(...result.rows);
    if (this.#rows.length > this.#plan.limit || result.frontier === null) return this.#page(result);
    const frontier = placeOf(result.frontier);
    const isLate = performance.now() - this.#startedMs > this.#limits.patienceMs;
    if (this.#rows.length > 0 && isLate) {
      return { rows: this.#rows, reached: frontier, hasMore: true };
    }
    this.#range =
      this.#plan.order === 'asc'
        ? { ...this.#range, fromUs: frontier.detectedAtUs + 1n }
        : { ...this.#range, toUs: frontier.detectedAtUs };
    return undefined;
  }

  /** All at once, where a condition with an index of its own leaves few signals or subjects. */
  async #gather(): Promise<Page | undefined> {
    for (const indexed of indexedConditions(this.#plan)) {
      const statement = compileGather(
        this.#view(),
        indexed,
        this.#anywhere,
        this.#plan.expands,
        this.#limits.fewSignals,
      );
      const [result] = await this.#database.rows<ScanRow & { tooMany: boolean }>(statement);
      if (result === undefined || result.tooMany) continue;
      this.#rows.push(...result.rows);
      return this.#page(result);
    }
    await this.#takeFewSubjects();
    return undefined;
  }

  async #takeFewSubjects(): Promise<void> {
    const { subjects } = this.#narrowed;
    if (subjects === undefined || this.#plan.narrowing.length === 0) return;
    if (this.#lanes.by === 'subject') return;
    const values = new SqlValues();
    const text = `SELECT id FROM (${subjects(values)}) s LIMIT ${this.#limits.fewSubjects + 1}`;
    const rows = await this.#database.rows<{ id: string }>({
      text,
      values: values.values,
      recurs: false,
    });
    if (rows.length > this.#limits.fewSubjects) return;
    this.#lanes = { by: 'subject', ids: [...new Set(rows.map(({ id }) => id))] };
  }

  /** The page when it is full, or when all of the range was looked through. */
  #page({ end }: ScanRow): Page {
    const { limit, order, after, detected } = this.#plan;
    const rows = this.#rows.slice(0, limit);
    const hasMore = this.#rows.length > limit;
    const last = rows.at(-1);
    const lastPlace = last && placeOf(last);
    if (hasMore && lastPlace !== undefined) return { rows, reached: lastPlace, hasMore };
    if (order === 'desc') {
      return { rows, reached: lastPlace ?? after ?? startOf(detected.sinceUs), hasMore };
    }
    const reached = later(end === null ? FEED_START : placeOf(end), after ?? FEED_START);
    return { rows, reached, hasMore };
  }

  #view() {
    return { range: this.#range, order: this.#plan.order, wanted: this.#wanted };
  }

  get #wanted(): number {
    return this.#plan.limit + 1 - this.#rows.length;
  }

  /** What a signal along the lanes is yet to meet. */
  readonly #alongLanes: Residual = (row, values) => this.#conditions(row, values, this.#lanes.by);

  /** What a signal of the range is to meet, wherever it was found. */
  readonly #anywhere: Residual = (row, values) => this.#conditions(row, values, 'feed');

  #conditions(row: string, values: SqlValues, metBy: Lanes['by']): string {
    const { subjects } = this.#plan;
    const codes = this.#narrowed.types.map(({ code }) => code);
    const terms = indexedConditions(this.#plan).map((indexed) => indexed(row, values));
    if (metBy !== 'type' && codes.length < SIGNAL_TYPES.length) {
      terms.push(`${row}.type = ANY (${values.add(codes, 'smallint[]')})`);
    }
    if (metBy !== 'subject' && subjects !== undefined) {
      terms.push(`${row}.subject_id = ANY (${values.add(subjects, 'uuid[]')})`);
    }
    if (this.#plan.narrowing.length > 0) terms.push(this.#narrowed.residual(row, values));
    return terms.length === 0 ? 'true' : terms.join(' AND ');
  }

  /** Whether signals along the lanes may not match. */
  #isSelective(): boolean {
    return this.#alongLanes('s', new SqlValues()) !== 'true';
  }

  #assertInTime(): void {
    if (performance.now() - this.#startedMs <= this.#limits.searchMsMax) return;
    throw new ApiError(
      'unavailable',
      'Nothing that matches was found in the time a call has; it cost nothing. Narrow what is ' +
        'looked through with since and until, types or subject.',
    );
  }
}

/** Types that carry an amount, where one is asked for. */
function carrying({ types, minAmount }: SignalsPlan): readonly SignalType[] {
  return minAmount === undefined ? types : types.filter(({ carriesAmount }) => carriesAmount);
}

function rangeOf({ detected, order, after }: SignalsPlan): FeedRange {
  const { sinceUs, untilUs } = detected;
  if (after === undefined) return { fromUs: sinceUs, toUs: untilUs };
  const place = after.detectedAtUs;
  return order === 'asc'
    ? { fromUs: sinceUs !== undefined && sinceUs > place ? sinceUs : place + 1n, toUs: untilUs }
    : { fromUs: sinceUs, toUs: untilUs !== undefined && untilUs < place ? untilUs : place };
}

function lanesOf({ subjects }: SignalsPlan, types: readonly SignalType[]): Lanes {
  if (subjects !== undefined) return { by: 'subject', ids: subjects };
  if (types.length === SIGNAL_TYPES.length) return { by: 'feed' };
  return { by: 'type', codes: types.map(({ code }) => code) };
}

function laneCount(lanes: Lanes): number {
  if (lanes.by === 'feed') return 1;
  return Math.max(1, lanes.by === 'type' ? lanes.codes.length : lanes.ids.length);
}

function indexedConditions({ occurred, minAmount }: SignalsPlan): readonly Residual[] {
  const { sinceUs, untilUs } = occurred;
  const conditions: Residual[] = [];
  if (sinceUs !== undefined || untilUs !== undefined) {
    conditions.push(
      (row, values) =>
        `${row}.occurred_at >= ${timestampOf(sinceUs, '-infinity', values)}` +
        ` AND ${row}.occurred_at < ${timestampOf(untilUs, 'infinity', values)}`,
    );
  }
  if (minAmount !== undefined) {
    conditions.push((row, values) => `${row}.amount >= ${values.add(String(minAmount), 'bigint')}`);
  }
  return conditions;
}

function placeOf({ us, position }: PlaceRow): FeedPlace {
  return { detectedAtUs: BigInt(us), position: BigInt(position) };
}

/** Before the first signal from a moment on. */
function startOf(sinceUs = 0n): FeedPlace {
  return later({ detectedAtUs: sinceUs, position: 0n }, FEED_START);
}

function later(one: FeedPlace, other: FeedPlace): FeedPlace {
  return one.detectedAtUs >= other.detectedAtUs ? one : other;
}
