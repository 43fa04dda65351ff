import type { Answer } from '../postgres/database.ts';
import { type CursorCodec, FEED_START, type FeedPosition } from './cursor.ts';
import { type SignalRow, signalJson } from './json.ts';
import type { SignalsPlan } from './plan.ts';
import { type FeedReads, type ReadPage, readFeed } from './read-feed.ts';
import type { FeedRange, Residual } from './scan.ts';
import { timestampOf } from './scan-sql.ts';
import { signalsFeed } from './signals-feed.ts';
import { microsecondsOf } from './timestamps.ts';

export interface FeedSources extends FeedReads {
  /** Encodes the cursors of the change feed. */
  readonly cursors: { readonly signals: CursorCodec };
}

/**
 * Reads a page of the change feed. The cursor is the position of the last match, or the end that the
 * scan has reached.
 *
 * @throws ApiError as {@link readFeed}.
 */
export async function readSignals(plan: SignalsPlan, sources: FeedSources): Promise<Answer> {
  const { types, minAmount, subjects, narrowing, order, limit, expands } = plan;
  const page = await readFeed<SignalRow>(
    {
      feed: signalsFeed(expands),
      types: minAmount === undefined ? types : types.filter((type) => type.carriesAmount),
      ...{ subjects, narrowing, order, limit, skip: 0, range: rangeOf(plan) },
      conditions: conditionsOf(plan),
      requiredUs: requiredOf(plan, BigInt(Date.now()) * 1_000n),
    },
    sources,
  );
  const nextCursor = sources.cursors.signals.encode(reachedBy(page, plan), order);
  const { hasMore } = page;
  const body = { signals: page.rows.map(signalJson), nextCursor, hasMore, order };
  return {
    body: JSON.stringify(body),
    ...{ records: page.rows.length, more: hasMore },
    ...(hasMore && { next: nextCursor }),
  };
}

/** The last signal of the page; of the last page in ascending order, the end of the feed. */
function reachedBy(
  { rows, hasMore, end }: ReadPage<SignalRow>,
  { order, after, detected }: SignalsPlan,
): FeedPosition {
  if (order === 'asc' && !hasMore) return later(end ?? FEED_START, after ?? FEED_START);
  const last = rows.at(-1);
  if (last !== undefined) {
    return { detectedAtUs: microsecondsOf(last.detectedAt), position: BigInt(last.position) };
  }
  return after ?? later({ detectedAtUs: detected.sinceUs ?? 0n, position: 0n }, FEED_START);
}

/**
 * A server that has not replayed the signal of a cursor, or a signal at or after the end of a window
 * that is over, would omit signals of the page. The window of a future instant is not complete yet.
 */
function requiredOf({ after, detected: { untilUs = 0n } }: SignalsPlan, nowUs: bigint): bigint {
  const cursorUs = after?.detectedAtUs ?? 0n;
  return untilUs <= nowUs && untilUs > cursorUs ? untilUs : cursorUs;
}

function rangeOf({ detected: { sinceUs, untilUs }, order, after }: SignalsPlan): FeedRange {
  const position = after?.detectedAtUs;
  const from = [sinceUs, order === 'asc' && position !== undefined ? position + 1n : undefined];
  const to = [untilUs, order === 'desc' ? position : undefined];
  return {
    from: extreme(from, (us, other) => us > other),
    to: extreme(to, (us, other) => us < other),
  };
}

function extreme(
  bounds: readonly (bigint | undefined)[],
  isNearer: (us: bigint, other: bigint) => boolean,
): readonly [bigint] | undefined {
  let found: bigint | undefined;
  for (const us of bounds) {
    if (us !== undefined && (found === undefined || isNearer(us, found))) found = us;
  }
  return found === undefined ? undefined : [found];
}

function conditionsOf({ occurred: { sinceUs, untilUs }, minAmount }: SignalsPlan): Residual[] {
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

function later(one: FeedPosition, other: FeedPosition): FeedPosition {
  return one.detectedAtUs >= other.detectedAtUs ? one : other;
}
