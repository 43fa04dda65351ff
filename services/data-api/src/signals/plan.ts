import { echo, nearest, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import type { CursorSeal, FeedOrder, FeedPlace } from './cursor.ts';
import type { SignalExpand, SignalsQuery, TimeRange } from './query.ts';
import { SIGNAL_TYPES, type SignalType, signalTypeOf } from './signal-types.ts';

/** A page of the change feed (docs/spec/signals.md 9.4). */
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

/**
 * Resolves types, cursor and values.
 *
 * @throws ApiError `unknown_signal_type`; `bad_cursor` for one that this service did not write or
 *   that is of the other order. QueryError `unknown_value`.
 */
export function planSignals(query: SignalsQuery, cursors: CursorSeal): SignalsPlan {
  const { types, cursor, narrowing, ...rest } = query;
  return {
    ...rest,
    kind: 'signals',
    types: types === undefined ? SIGNAL_TYPES : types.map(typeNamed),
    narrowing: planNarrowing(narrowing),
    after: cursor === undefined ? undefined : openCursor(cursor, query.order, cursors),
  };
}

function typeNamed(name: string): SignalType {
  const found = signalTypeOf(name);
  if (found !== undefined) return found;
  const allowed = SIGNAL_TYPES.map((type) => type.name);
  const suggestion = nearest(name, allowed);
  const message = withHint(`Unknown signal type '${echo(name)}'.`, suggestion);
  throw new ApiError('unknown_signal_type', message, {
    parameter: 'types',
    value: name,
    allowed,
    suggestion,
    see: '/signals/types',
  });
}

function openCursor(text: string, order: SignalsQuery['order'], cursors: CursorSeal): FeedPlace {
  const cursor = cursors.open(text);
  if (cursor === undefined) {
    throw new ApiError(
      'bad_cursor',
      'Invalid cursor. Send nextCursor of a previous page unchanged, or start without a cursor.',
      { parameter: 'cursor', value: text },
    );
  }
  if (cursor.order !== order) {
    throw new ApiError(
      'bad_cursor',
      `This cursor is of a page in order=${cursor.order}; send it with order=${cursor.order}.`,
      { parameter: 'cursor', value: text, suggestion: `order=${cursor.order}` },
    );
  }
  return cursor;
}
