import { echo, nearest, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import type { CursorCodec, FeedPosition } from './cursor.ts';
import type { SignalsQuery } from './query.ts';
import { SIGNAL_TYPES, type SignalType, signalTypeOf } from './signal-types.ts';

/** A page of the change feed (docs/spec/signals.md 9.4). */
export interface SignalsPlan extends Omit<SignalsQuery, 'types' | 'narrowing' | 'cursor'> {
  /** Without duplicates; all types if the feed is not narrowed by type. */
  readonly types: readonly SignalType[];
  readonly narrowing: readonly PlannedNarrowing[];
  /** The page starts after it. */
  readonly after: FeedPosition | undefined;
}

/**
 * Resolves types, cursor and values.
 *
 * @throws ApiError `unknown_signal_type`; `bad_cursor` for a modified one or one of the other
 *   order. QueryError `unknown_value`.
 */
export function planSignals(query: SignalsQuery, cursors: CursorCodec): SignalsPlan {
  const { types, cursor, narrowing, ...rest } = query;
  return {
    ...rest,
    types: planTypes(types),
    narrowing: planNarrowing(narrowing),
    after: cursor === undefined ? undefined : decodeCursor(cursor, query.order, cursors),
  };
}

/**
 * The types of these names; all types without names.
 *
 * @throws ApiError `unknown_signal_type`.
 */
export function planTypes(names: readonly string[] | undefined): readonly SignalType[] {
  return names === undefined ? SIGNAL_TYPES : names.map(typeNamed);
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

function decodeCursor(
  text: string,
  order: SignalsQuery['order'],
  cursors: CursorCodec,
): FeedPosition {
  const cursor = cursors.decode(text);
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
      `This cursor was issued for order=${cursor.order}. Send it with order=${cursor.order}.`,
      { parameter: 'cursor', value: text, suggestion: `order=${cursor.order}` },
    );
  }
  return cursor;
}
