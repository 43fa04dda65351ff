import { ApiError } from '@vcds/service-kit';
import type { StatisticsOf } from '../postgres/column-statistics.ts';
import type { Answer, Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import { type CursorCodec, FEED_START, type FeedPosition } from './cursor.ts';
import { fewRecords } from './few-records.ts';
import { signalJson } from './json.ts';
import { type NarrowedSignals, narrowSignals } from './narrow-signals.ts';
import type { SignalsPlan } from './plan.ts';
import {
  type FeedRange,
  type Partitions,
  type PositionRow,
  partitionCount,
  type ScanRow,
  type SignalRow,
} from './scan.ts';
import { SCAN_LIMITS, type ScanLimits } from './scan-limits.ts';
import { compileFallbackLookup, compileScan, type Residual, timestampOf } from './scan-sql.ts';
import { SIGNAL_TYPES, type SignalType } from './signal-types.ts';
import { microsecondsOf } from './timestamps.ts';

export interface FeedSources {
  readonly database: Database;
  /** Encodes the cursors of the change feed. */
  readonly cursors: { readonly signals: CursorCodec };
  /** In place of {@link SCAN_LIMITS}. For tests. */
  readonly scanLimits?: Partial<ScanLimits> | undefined;
}

/**
 * Reads a page (docs/spec/signals.md 9.4) by a batched index scan in the order of the feed. Batches
 * have a bounded size and grow until the page is full or the scan has reached the end. If few
 * candidates match, it tries fallback indexes; after enough candidates it returns the matches it
 * has but the last, which begins the next page. The cursor is the position of the last match, or the
 * end that the scan has reached.
 *
 * @throws ApiError `unavailable` if the scan was not that far before the hard deadline.
 */
export async function readSignals(plan: SignalsPlan, sources: FeedSources): Promise<Answer> {
  const page = await new PageReader(plan, sources).read();
  const body = {
    signals: page.rows.map(signalJson),
    nextCursor: sources.cursors.signals.encode(page.reached, plan.order),
    hasMore: page.hasMore,
    order: plan.order,
  };
  return { body: JSON.stringify(body), records: page.rows.length, more: page.hasMore };
}

interface Page {
  readonly rows: readonly SignalRow[];
  readonly reached: FeedPosition;
  readonly hasMore: boolean;
}

class PageReader {
  readonly #plan: SignalsPlan;
  readonly #database: Database;
  readonly #limits: ScanLimits;
  readonly #narrowed: NarrowedSignals;
  readonly #startedMs = performance.now();
  readonly #rows: SignalRow[] = [];
  #candidatesRead = 0;
  /** The page requires a server that has a signal at or after this instant. */
  readonly #requiredUs: bigint;
  #range: FeedRange;
  #partitions: Partitions;
  /** The last signal before the end of the range when the last batch was read. */
  #end: FeedPosition | undefined;

  constructor(plan: SignalsPlan, { database, scanLimits }: FeedSources) {
    this.#plan = plan;
    this.#database = database;
    this.#limits = { ...SCAN_LIMITS, ...scanLimits };
    this.#narrowed = narrowSignals(carrying(plan), plan.narrowing);
    this.#range = rangeOf(plan);
    this.#requiredUs = requiredOf(plan, BigInt(Date.now()) * 1_000n);
    this.#partitions = partitionsOf(plan, this.#narrowed.types, database.statistics.of);
  }

  async read(): Promise<Page> {
    const { candidatesFirst, growth, candidatesMax, batchesBeforeFallback } = this.#limits;
    const isSelective = this.#isSelective();
    let candidates = candidatesFirst;
    let isShort = !isSelective || this.#matchesAreRare();
    for (let batch = 1; ; ) {
      const page = await this.#scanBatch(isShort ? 0 : candidates);
      if (page !== undefined) return page;
      isShort = !isSelective;
      if (this.#leavesFeed()) continue;
      if (batch === batchesBeforeFallback && this.#matchesAreFew()) {
        const { by } = this.#partitions;
        const found = await this.#tryFallbackIndexes();
        if (found !== undefined) return found;
        // Most signals of the records that meet the narrowings match.
        if (this.#partitions.by !== by) isShort = true;
      }
      this.#assertBeforeHardDeadline();
      candidates = Math.min(candidates * growth, candidatesMax);
      batch += 1;
    }
  }

  /** Without a match, partitions by type follow: there may be many signals of others in succession. */
  #leavesFeed(): boolean {
    const { types } = this.#narrowed;
    if (this.#partitions.by !== 'feed' || this.#rows.length > 0) return false;
    this.#partitions = partitionsOf(this.#plan, types);
    return this.#partitions.by !== 'feed';
  }

  /** Scans one batch; returns a page if it is full, at the end, or after enough candidates. */
  async #scanBatch(candidates: number): Promise<Page | undefined> {
    const partitions = partitionCount(this.#partitions);
    const batchSize = Math.max(Math.ceil(candidates / partitions), this.#missing);
    const recordsMax = Math.max(candidates, this.#missing);
    this.#candidatesRead += recordsMax;
    const scan = { ...this.#scanOptions(), partitions: this.#partitions, batchSize, recordsMax };
    const [result] = await this.#database.rows<ScanRow>(
      compileScan(scan, this.#scanConditions, this.#plan.expands),
      this.#isReplayed,
    );
    if (result === undefined) throw new Error('A scan statement returns one row.');
    this.#end = result.end === null ? undefined : positionOf(result.end);
    this.#rows.push(...result.rows);
    const isFull = this.#rows.length > this.#plan.limit;
    if (isFull || result.watermark === null) return this.#page(result);
    if (this.#rows.length > 1 && this.#candidatesRead >= this.#limits.candidatesEnough) {
      // The last one is on the next page, so that there is one.
      return this.#pageOf(this.#rows.length - 1);
    }
    const watermark = positionOf(result.watermark);
    this.#range =
      this.#plan.order === 'asc'
        ? { ...this.#range, fromUs: watermark.detectedAtUs + 1n }
        : { ...this.#range, toUs: watermark.detectedAtUs };
    return undefined;
  }

  /** Reads all matches by the index of a condition that few signals meet, if there is one. */
  async #tryFallbackIndexes(): Promise<Page | undefined> {
    for (const indexed of indexedConditions(this.#plan)) {
      const statement = compileFallbackLookup(
        this.#scanOptions(),
        indexed,
        this.#allConditions,
        this.#plan.expands,
        this.#limits.fallbackSignalsMax,
      );
      const [result] = await this.#database.rows<ScanRow & { tooMany: boolean }>(
        statement,
        this.#isReplayed,
      );
      if (result === undefined || result.tooMany) continue;
      this.#rows.push(...result.rows);
      return this.#page(result);
    }
    return this.#partitionByFewRecords();
  }

  /**
   * Continues the scan by the indexes of subjects and objects if few meet the narrowings; before,
   * by the feed, if as much work there will probably fill the page.
   */
  async #partitionByFewRecords(): Promise<Page | undefined> {
    if (this.#partitions.by === 'record' || this.#plan.narrowing.length === 0) return undefined;
    const { fallbackRecordsMax, candidatesPerRecord } = this.#limits;
    const keys = await fewRecords(this.#narrowed, fallbackRecordsMax, this.#database);
    if (keys === undefined) return undefined;
    // Later signals may be about companies that met the narrowings only after they were looked up.
    const afterEnd = (this.#end?.detectedAtUs ?? -1n) + 1n;
    const { toUs = afterEnd } = this.#range;
    this.#range = { ...this.#range, toUs: toUs < afterEnd ? toUs : afterEnd };
    const candidates = candidatesPerRecord * (keys.subjects.length + keys.objects.length);
    if (this.#expectedMatches(candidates) >= this.#missing) {
      this.#partitions = { by: 'feed', of: keys };
      const page = await this.#scanBatch(candidates);
      if (page !== undefined) return page;
    }
    this.#partitions = { by: 'record', ...keys };
    return undefined;
  }

  /** The page if it is full, or if the whole range was scanned. */
  #page({ end }: ScanRow): Page {
    const { limit, order, after } = this.#plan;
    if (this.#rows.length > limit || order === 'desc') return this.#pageOf(limit);
    const reached = later(end === null ? FEED_START : positionOf(end), after ?? FEED_START);
    return { rows: this.#rows, reached, hasMore: false };
  }

  /** The first matches; the page ends at the last of them. */
  #pageOf(count: number): Page {
    const { after, detected } = this.#plan;
    const rows = this.#rows.slice(0, count);
    const last = rows.at(-1);
    const reached =
      last === undefined
        ? (after ?? startOf(detected.sinceUs))
        : { detectedAtUs: microsecondsOf(last.detectedAt), position: BigInt(last.position) };
    return { rows, reached, hasMore: this.#rows.length > count };
  }

  #scanOptions() {
    return { range: this.#range, order: this.#plan.order, limit: this.#missing };
  }

  /** Matches missing to a full page, and one to decide `hasMore`. */
  get #missing(): number {
    return this.#plan.limit + 1 - this.#rows.length;
  }

  readonly #isReplayed = ([row]: readonly ScanRow[]): boolean =>
    BigInt(row?.newest ?? 0) >= this.#requiredUs;

  /** The conditions that the scanned index does not guarantee. */
  readonly #scanConditions: Residual = (row, values) =>
    this.#conditions(row, values, this.#partitions.by);

  /** All conditions but the range. */
  readonly #allConditions: Residual = (row, values) => this.#conditions(row, values, 'feed');

  #conditions(row: string, values: SqlValues, guaranteed: Partitions['by']): string {
    const { subjects } = this.#plan;
    const codes = this.#narrowed.types.map(({ code }) => code);
    const terms = indexedConditions(this.#plan).map((indexed) => indexed(row, values));
    if (guaranteed !== 'type' && codes.length < SIGNAL_TYPES.length) {
      terms.push(`${row}.type = ANY (${values.add(codes, 'smallint[]')})`);
    }
    if (guaranteed !== 'record' && subjects !== undefined) {
      terms.push(`${row}.subject_id = ANY (${values.add(subjects, 'uuid[]')})`);
    }
    if (this.#plan.narrowing.length > 0) terms.push(this.#narrowed.residual(row, values));
    return terms.length === 0 ? 'true' : terms.join(' AND ');
  }

  /** Whether candidates of the scan may not match. */
  #isSelective(): boolean {
    return this.#scanConditions('s', new SqlValues()) !== 'true';
  }

  /** Whether the first batch will probably have few matches, by statistics. */
  #matchesAreRare(): boolean {
    if (this.#plan.narrowing.length === 0) return false;
    const { candidatesFirst, growth } = this.#limits;
    return this.#expectedMatches(candidatesFirst * growth) < this.#plan.limit;
  }

  /** The most matches of the narrowings to expect of so many candidates. */
  #expectedMatches(candidates: number): number {
    return candidates * this.#narrowed.shareMax(this.#database.statistics.of);
  }

  /** Whether the next batch will probably not fill the page. */
  #matchesAreFew(): boolean {
    return this.#rows.length * this.#limits.growth < this.#plan.limit;
  }

  #assertBeforeHardDeadline(): void {
    if (performance.now() - this.#startedMs <= this.#limits.hardDeadlineMs) return;
    throw new ApiError(
      'unavailable',
      'The query timed out before it found a page; no credits were charged. Narrow the search ' +
        'with since and until, types or subject.',
    );
  }
}

/** The types that carry an amount if `minAmount` is set, otherwise all. */
function carrying({ types, minAmount }: SignalsPlan): readonly SignalType[] {
  return minAmount === undefined ? types : types.filter(({ carriesAmount }) => carriesAmount);
}

/**
 * A server that has not replayed the signal of a cursor, or a signal at or after the end of a window
 * that is over, would omit signals of the page. The window of a future instant is not complete yet.
 */
function requiredOf({ after, detected: { untilUs = 0n } }: SignalsPlan, nowUs: bigint): bigint {
  const cursorUs = after?.detectedAtUs ?? 0n;
  return untilUs <= nowUs && untilUs > cursorUs ? untilUs : cursorUs;
}

function rangeOf({ detected, order, after }: SignalsPlan): FeedRange {
  const { sinceUs, untilUs } = detected;
  if (after === undefined) return { fromUs: sinceUs, toUs: untilUs };
  const position = after.detectedAtUs;
  return order === 'asc'
    ? {
        fromUs: sinceUs !== undefined && sinceUs > position ? sinceUs : position + 1n,
        toUs: untilUs,
      }
    : { fromUs: sinceUs, toUs: untilUs !== undefined && untilUs < position ? untilUs : position };
}

/** @param statistics to scan the whole feed if most signals have one of several types. */
function partitionsOf(
  { subjects }: SignalsPlan,
  types: readonly SignalType[],
  statistics?: StatisticsOf,
): Partitions {
  if (subjects !== undefined) return { by: 'record', subjects, objects: [] };
  const shares = statistics?.('venture.signal', 'type')?.frequent;
  const share = types.reduce((sum, { code }) => sum + (shares?.get(String(code)) ?? 0), 0);
  const isMost = types.length > 1 && share > 1 / 2;
  if (types.length === SIGNAL_TYPES.length || isMost) return { by: 'feed' };
  return { by: 'type', codes: types.map(({ code }) => code) };
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

function positionOf({ us, position }: PositionRow): FeedPosition {
  return { detectedAtUs: BigInt(us), position: BigInt(position) };
}

/** The position before the first signal from an instant on. */
function startOf(sinceUs = 0n): FeedPosition {
  return later({ detectedAtUs: sinceUs, position: 0n }, FEED_START);
}

function later(one: FeedPosition, other: FeedPosition): FeedPosition {
  return one.detectedAtUs >= other.detectedAtUs ? one : other;
}
