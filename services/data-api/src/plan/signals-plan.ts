import type { SignalExpand, TimeRange } from '../parse/signals-query.ts';
import type { FeedOrder, FeedPlace } from '../signals/cursor.ts';
import type { SignalType } from '../signals/signal-types.ts';
import type { PlannedNarrowing } from './category-plan.ts';

/** A page of the change feed (spec §4.4). */
export interface SignalsPlan {
  readonly kind: 'signals';
  /** Each once; all of them when the feed is not narrowed by type. */
  readonly types: readonly SignalType[];
  /** Ids of startups and funds, each once. */
  readonly subjects: readonly string[] | undefined;
  readonly detected: TimeRange;
  readonly occurred: TimeRange;
  readonly minAmount: bigint | undefined;
  readonly narrowing: readonly PlannedNarrowing[];
  readonly order: FeedOrder;
  /** The page begins behind it. */
  readonly after: FeedPlace | undefined;
  readonly limit: number;
  readonly expands: readonly SignalExpand[];
}
