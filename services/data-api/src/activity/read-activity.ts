import { ApiError } from '@vcds/service-kit';
import type { Answer, Database } from '../postgres/database.ts';
import { fewRecords } from '../signals/few-records.ts';
import { type NarrowedSignals, narrowSignals } from '../signals/narrow-signals.ts';
import type { SignalKeys } from '../signals/scan.ts';
import { SCAN_LIMITS, type ScanLimits } from '../signals/scan-limits.ts';
import type { Residual } from '../signals/scan-sql.ts';
import { activityJson } from './json.ts';
import type { ActivityPlan } from './plan.ts';
import type { ActivityCursor, ActivityPosition, Cursors } from './position.ts';
import {
  type ActivityBatchRow,
  type ActivityPositionRow,
  type ActivityRow,
  compileActivityBatch,
} from './sql.ts';

export interface ActivitySources {
  readonly database: Database;
  /** Encodes the cursors of the activity feed. */
  readonly cursors: Pick<Cursors, 'activity'>;
  /** In place of {@link SCAN_LIMITS}. For tests. */
  readonly scanLimits?: Partial<ScanLimits> | undefined;
}

/**
 * Reads a page (docs/spec/activity.md 21.1): batches of bounded size, each the next entries of every
 * type in the order of the feed, until the page is full or the end is reached. If few entries match
 * a narrowing, it reads those of the few records that match; after enough candidates it returns
 * the matches it has but the last, which begins the next page. `next` is the cursor of the next page, if it has an entry; its page is read
 * from a server that has at least what this one had.
 *
 * @throws ApiError `unavailable` if no match was found before the hard deadline.
 */
export async function readActivity(plan: ActivityPlan, sources: ActivitySources): Promise<Answer> {
  const { rows, next } = await new ActivityReader(plan, sources).read();
  return {
    body: JSON.stringify(rows.map(activityJson)),
    records: rows.length,
    more: next !== undefined,
    ...(next && { next: sources.cursors.activity.encode(next) }),
  };
}

interface Page {
  readonly rows: readonly ActivityRow[];
  /** The position after which the next page starts. */
  readonly next: ActivityCursor | undefined;
}

class ActivityReader {
  readonly #plan: ActivityPlan;
  readonly #database: Database;
  readonly #limits: ScanLimits;
  readonly #narrowed: NarrowedSignals;
  readonly #types: readonly number[];
  readonly #startedMs = performance.now();
  readonly #rows: ActivityRow[] = [];
  #candidatesRead = 0;
  #skip: number;
  #seen: bigint;
  #after: ActivityPosition | undefined;
  #keys: SignalKeys | undefined;

  constructor(plan: ActivityPlan, { database, scanLimits }: ActivitySources) {
    this.#plan = plan;
    this.#database = database;
    this.#limits = { ...SCAN_LIMITS, ...scanLimits };
    this.#narrowed = narrowSignals(plan.types, plan.narrowing);
    this.#types = this.#narrowed.types.map(({ code }) => code);
    this.#skip = plan.skip;
    this.#after = plan.after;
    this.#seen = plan.after?.seen ?? 0n;
    this.#keys = plan.subjects && { subjects: plan.subjects, objects: [] };
  }

  async read(): Promise<Page> {
    if (this.#types.length === 0) return { rows: [], next: undefined };
    await this.#database.requireReplayed(this.#seen);
    let candidates = this.#plan.narrowing.length === 0 ? 0 : this.#limits.candidatesFirst;
    for (let batch = 1; ; batch++) {
      const page = await this.#readBatch(Math.ceil(candidates / this.#types.length));
      if (page !== undefined) return page;
      if (batch === this.#limits.batchesBeforeFallback) await this.#readFewRecords();
      this.#assertBeforeHardDeadline();
      const { candidatesFirst, candidatesMax, growth } = this.#limits;
      candidates = Math.min(Math.max(candidates, candidatesFirst) * growth, candidatesMax);
    }
  }

  /** Reads one batch; returns a page if it is full, at the end, or after enough candidates. */
  async #readBatch(candidates: number): Promise<Page | undefined> {
    const { top, range } = this.#plan;
    const limit = top + 1 - this.#rows.length;
    const batch = {
      ...{ types: this.#types, keys: this.#keys, after: this.#after },
      ...{ fromUs: range.sinceUs, toUs: range.untilUs },
      ...{ size: Math.max(candidates, this.#skip + limit), skip: this.#skip, limit },
    };
    const [result] = await this.#database.rows<ActivityBatchRow>(
      compileActivityBatch(batch, this.#residual),
    );
    if (result === undefined) throw new Error('A batch statement returns one row.');
    this.#candidatesRead += batch.size * this.#types.length;
    const { hits, rows, watermark } = result;
    this.#see(BigInt(result.seen));
    this.#skip = Math.max(0, this.#skip - hits);
    this.#rows.push(...rows);
    if (this.#rows.length > top) return this.#pageOf(top);
    if (watermark === null) return { rows: this.#rows, next: undefined };
    this.#after = positionOf(watermark);
    // The last one is on the next page, so that there is one.
    const isEnough = this.#candidatesRead >= this.#limits.candidatesEnough;
    return isEnough && this.#rows.length > 1 ? this.#pageOf(this.#rows.length - 1) : undefined;
  }

  #pageOf(count: number): Page {
    const rows = this.#rows.slice(0, count);
    const last = rows.at(-1);
    return { rows, next: last && { ...positionOf(last), seen: this.#seen } };
  }

  #see(position: bigint): void {
    if (position > this.#seen) this.#seen = position;
  }

  /** Continues with the signals of the records that meet the narrowings, if they are few. */
  async #readFewRecords(): Promise<void> {
    if (this.#keys !== undefined || this.#plan.narrowing.length === 0) return;
    const { fallbackCompaniesMax: max } = this.#limits;
    this.#keys = await fewRecords(this.#narrowed, max, this.#database);
  }

  readonly #residual: Residual = (row, values) =>
    this.#plan.narrowing.length === 0 ? 'true' : this.#narrowed.residual(row, values);

  #assertBeforeHardDeadline(): void {
    if (performance.now() - this.#startedMs <= this.#limits.hardDeadlineMs) return;
    throw new ApiError(
      'unavailable',
      'The query timed out before it found a page; no credits were charged. Narrow the search ' +
        'with since and until, types or subject.',
    );
  }
}

function positionOf({ occurred, detected }: ActivityPositionRow): ActivityPosition {
  return { occurredAtUs: BigInt(occurred), detectedAtUs: BigInt(detected) };
}
