import { ApiError } from '@vcds/service-kit';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import type { StatisticsOf } from '../postgres/column-statistics.ts';
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { FeedOrder, FeedPosition } from './cursor.ts';
import { fewRecords } from './few-records.ts';
import { type NarrowedSignals, narrowSignals } from './narrow-signals.ts';
import {
  type Feed,
  type FeedRange,
  type FeedRow,
  type Partitions,
  type Position,
  partitionCount,
  type Residual,
  type ScanRow,
} from './scan.ts';
import { SCAN_LIMITS, type ScanLimits } from './scan-limits.ts';
import { compileFallbackLookup, compileScan } from './scan-sql.ts';
import { SIGNAL_TYPES, type SignalType } from './signal-types.ts';

/** A page to read of a feed. */
export interface PageOfFeed {
  readonly feed: Feed;
  readonly types: readonly SignalType[];
  /** Only signals with these subjects. */
  readonly subjects: readonly string[] | undefined;
  readonly narrowing: readonly PlannedNarrowing[];
  /** Other conditions; each can be looked up by an index. */
  readonly conditions: readonly Residual[];
  readonly range: FeedRange;
  readonly order: FeedOrder;
  readonly skip: number;
  readonly limit: number;
  /** The page requires a server that has a signal detected at or after it. */
  readonly requiredUs: bigint;
}

/** A page of a feed as read. */
export interface ReadPage<Row> {
  readonly rows: readonly Row[];
  /** Whether a further page has a signal. */
  readonly hasMore: boolean;
  /** The last signal of the change feed before the end of the range. */
  readonly end: FeedPosition | undefined;
  /** When the last signal that the server has was detected. */
  readonly newestUs: bigint;
}

export interface FeedReads {
  readonly database: Database;
  /** In place of {@link SCAN_LIMITS}. For tests. */
  readonly scanLimits?: Partial<ScanLimits> | undefined;
}

/**
 * Reads a page (docs/spec/signals.md 9.4) by a batched index scan in the order of the feed. Batches
 * have a bounded size and grow until the page is full or the scan has reached the end. If few
 * candidates match, it tries fallback indexes; after enough candidates it returns the matches it
 * has but the last, which begins the next page.
 *
 * @throws ApiError `unavailable` if the scan was not that far before the hard deadline.
 */
export function readFeed<Row extends FeedRow>(
  page: PageOfFeed,
  reads: FeedReads,
): Promise<ReadPage<Row>> {
  return new FeedReader<Row>(page, reads).read();
}

class FeedReader<Row extends FeedRow> {
  readonly #asked: PageOfFeed;
  readonly #database: Database;
  readonly #limits: ScanLimits;
  readonly #narrowed: NarrowedSignals;
  readonly #startedMs = performance.now();
  readonly #rows: Row[] = [];
  #candidatesRead = 0;
  #skip: number;
  #range: FeedRange;
  #partitions: Partitions;
  /** As of the last batch. */
  #end: FeedPosition | undefined;
  #newestUs = 0n;

  constructor(asked: PageOfFeed, { database, scanLimits }: FeedReads) {
    this.#asked = asked;
    this.#database = database;
    this.#limits = { ...SCAN_LIMITS, ...scanLimits };
    this.#narrowed = narrowSignals(asked.types, asked.narrowing);
    this.#skip = asked.skip;
    this.#range = asked.range;
    this.#partitions = partitionsOf(asked, this.#narrowed.types, database.statistics.of);
  }

  async read(): Promise<ReadPage<Row>> {
    const { candidatesFirst, growth, candidatesMax, batchesBeforeFallback } = this.#limits;
    let candidates = candidatesFirst;
    let isShort = !this.#isSelective() || this.#matchesAreRare();
    for (let batch = 1; ; ) {
      const page = await this.#scanBatch(isShort ? 0 : candidates);
      if (page !== undefined) return page;
      isShort = false;
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
    if (this.#partitions.by !== 'feed' || this.#rows.length > 0) return false;
    this.#partitions = partitionsOf(this.#asked, this.#narrowed.types);
    return this.#partitions.by !== 'feed';
  }

  /** Scans one batch; returns a page if it is full, at the end, or after enough candidates. */
  async #scanBatch(candidates: number): Promise<ReadPage<Row> | undefined> {
    const wanted = this.#skip + this.#missing;
    const batchSize = Math.max(Math.ceil(candidates / partitionCount(this.#partitions)), wanted);
    const recordsMax = Math.max(candidates, wanted);
    this.#candidatesRead += recordsMax;
    const scan = { ...this.#scan(), partitions: this.#partitions, batchSize, recordsMax };
    const statement = compileScan(this.#asked.feed, scan, this.#scanConditions);
    const [result] = await this.#database.rows<ScanRow<Row>>(statement, this.#isReplayed);
    if (result === undefined) throw new Error('A scan statement returns one row.');
    this.#take(result);
    const isFull = this.#rows.length > this.#asked.limit;
    if (isFull || result.watermark === null) return this.#page(this.#asked.limit);
    if (this.#rows.length > 1 && this.#candidatesRead >= this.#limits.candidatesEnough) {
      // The last one is on the next page, so that there is one.
      return this.#page(this.#rows.length - 1);
    }
    const watermark = result.watermark.map(BigInt);
    this.#range =
      this.#asked.order === 'asc'
        ? { ...this.#range, from: following(watermark) }
        : { ...this.#range, to: watermark };
    return undefined;
  }

  #take({ hits, rows, end, newest }: ScanRow<Row>): void {
    this.#skip = Math.max(0, this.#skip - hits);
    this.#rows.push(...rows);
    this.#end = end === null ? undefined : endOf(end);
    this.#newestUs = BigInt(newest ?? 0);
  }

  #page(count: number): ReadPage<Row> {
    return {
      rows: this.#rows.slice(0, count),
      hasMore: this.#rows.length > count,
      end: this.#end,
      newestUs: this.#newestUs,
    };
  }

  /** Reads all matches by the index of a condition that few signals meet, if there is one. */
  async #tryFallbackIndexes(): Promise<ReadPage<Row> | undefined> {
    for (const indexed of this.#asked.conditions) {
      const max = this.#limits.fallbackSignalsMax;
      const [result] = await this.#database.rows<ScanRow<Row> & { tooMany: boolean }>(
        compileFallbackLookup(this.#asked.feed, this.#scan(), indexed, this.#allConditions, max),
        this.#isReplayed,
      );
      if (result === undefined || result.tooMany) continue;
      this.#take(result);
      return this.#page(this.#asked.limit);
    }
    return this.#partitionByFewRecords();
  }

  /**
   * Continues the scan by the indexes of subjects and objects if few meet the narrowings; before,
   * by the feed, if as much work there will probably fill the page.
   */
  async #partitionByFewRecords(): Promise<ReadPage<Row> | undefined> {
    const { feed, narrowing } = this.#asked;
    if (this.#partitions.by === 'record' || narrowing.length === 0) return undefined;
    const max = this.#limits[feed.recordsMax];
    const keys = await fewRecords(this.#narrowed, max, this.#database);
    if (keys === undefined) return undefined;
    if (feed.isIndexed) {
      this.#endAt((this.#end?.detectedAtUs ?? -1n) + 1n);
      const records = keys.subjects.length + keys.objects.length;
      const candidates = this.#limits.candidatesPerRecord * records;
      if (this.#expectedMatches(candidates) >= this.#missing) {
        this.#partitions = { by: 'feed', of: keys };
        const page = await this.#scanBatch(candidates);
        if (page !== undefined) return page;
      }
    }
    this.#partitions = { by: 'record', ...keys };
    return undefined;
  }

  /** Later signals may be about companies that met the narrowings only after they were looked up. */
  #endAt(detectedAtUs: bigint): void {
    const toUs = this.#range.to?.[0];
    if (toUs === undefined || toUs > detectedAtUs)
      this.#range = { ...this.#range, to: [detectedAtUs] };
  }

  #scan() {
    const { order } = this.#asked;
    return { range: this.#range, order, skip: this.#skip, limit: this.#missing };
  }

  /** Matches missing to a full page, and one to decide `hasMore`. */
  get #missing(): number {
    return this.#asked.limit + 1 - this.#rows.length;
  }

  readonly #isReplayed = ([row]: readonly ScanRow<Row>[]): boolean =>
    BigInt(row?.newest ?? 0) >= this.#asked.requiredUs;

  /** The conditions that the scanned index does not guarantee. */
  readonly #scanConditions: Residual = (row, values) => {
    const { isEntry } = this.#asked.feed;
    const asked = this.#conditions(row, values, this.#partitions.by);
    return isEntry === undefined ? asked : `${asked} AND ${isEntry(row, values)}`;
  };

  /** All conditions but the range. */
  readonly #allConditions: Residual = (row, values) => this.#conditions(row, values, 'feed');

  #conditions(row: string, values: SqlValues, guaranteed: Partitions['by']): string {
    const { subjects, conditions, narrowing } = this.#asked;
    const codes = this.#narrowed.types.map(({ code }) => code);
    const terms = conditions.map((condition) => condition(row, values));
    if (guaranteed !== 'type' && codes.length < SIGNAL_TYPES.length) {
      terms.push(`${row}.type = ANY (${values.add(codes, 'smallint[]')})`);
    }
    if (guaranteed !== 'record' && subjects !== undefined) {
      terms.push(`${row}.subject_id = ANY (${values.add(subjects, 'uuid[]')})`);
    }
    if (narrowing.length > 0) terms.push(this.#narrowed.residual(row, values));
    return terms.length === 0 ? 'true' : terms.join(' AND ');
  }

  /** Whether candidates of the scan may not match, for other reasons than that they are no entry. */
  #isSelective(): boolean {
    return this.#conditions('s', new SqlValues(), this.#partitions.by) !== 'true';
  }

  /** Whether the first batch will probably have few matches, by statistics. */
  #matchesAreRare(): boolean {
    if (this.#asked.narrowing.length === 0) return false;
    const { candidatesFirst, growth } = this.#limits;
    return this.#expectedMatches(candidatesFirst * growth) < this.#asked.limit;
  }

  /** The most matches of the narrowings to expect of so many candidates. */
  #expectedMatches(candidates: number): number {
    return candidates * this.#narrowed.shareMax(this.#database.statistics.of);
  }

  /** Whether the next batch will probably not fill the page. */
  #matchesAreFew(): boolean {
    return this.#rows.length * this.#limits.growth < this.#asked.limit;
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

/** @param statistics to scan the whole feed if most signals have one of several types. */
function partitionsOf(
  { feed, subjects }: PageOfFeed,
  types: readonly SignalType[],
  statistics?: StatisticsOf,
): Partitions {
  if (subjects !== undefined) return { by: 'record', subjects, objects: [] };
  const codes = types.map(({ code }) => code);
  if (!feed.isIndexed) return { by: 'type', codes };
  const shares = statistics?.('venture.signal', 'type')?.frequent;
  const share = codes.reduce((sum, code) => sum + (shares?.get(String(code)) ?? 0), 0);
  const isMost = types.length > 1 && share > 1 / 2;
  if (types.length === SIGNAL_TYPES.length || isMost) return { by: 'feed' };
  return { by: 'type', codes };
}

/** The next position. */
function following(position: Position): Position {
  return position.map((us, n) => (n === position.length - 1 ? us + 1n : us));
}

function endOf({ us, position }: { us: string; position: string }): FeedPosition {
  return { detectedAtUs: BigInt(us), position: BigInt(position) };
}
