import { ApiError } from '@vcds/service-kit/api-errors';
import { assertTopWithinPlan } from '../collections/plan.ts';
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import type { PageCeiling } from '../serve/request/parameter-reader.ts';
import type { TimeRange } from '../signals/feed-parameters.ts';
import { planTypes } from '../signals/plan.ts';
import type { SignalType } from '../signals/signal-types.ts';
import type { ActivityCursor, ActivityCursorCodec } from './position.ts';
import type { ActivityQuery } from './query.ts';

/** A page of the activity feed (docs/spec/activity.md 21.1). */
export interface ActivityPlan {
  readonly kind: 'activity';
  readonly types: readonly SignalType[];
  readonly subjects: readonly string[] | undefined;
  readonly range: TimeRange;
  readonly top: number;
  readonly skip: number;
  /** The page starts after it. */
  readonly after: ActivityCursor | undefined;
  readonly narrowing: readonly PlannedNarrowing[];
}

/**
 * Resolves types, cursor and values.
 *
 * @throws ApiError `unknown_signal_type`, `bad_cursor`, `top_above_plan`; QueryError `unknown_value`.
 */
export function planActivity(
  { types, cursor, narrowing, ...query }: ActivityQuery,
  cursors: ActivityCursorCodec,
  ceiling: PageCeiling,
): ActivityPlan {
  assertTopWithinPlan(query.top, ceiling);
  return {
    ...query,
    kind: 'activity',
    types: planTypes(types),
    after: cursor === undefined ? undefined : decodeCursor(cursor, cursors),
    narrowing: planNarrowing(narrowing),
  };
}

function decodeCursor(text: string, cursors: ActivityCursorCodec): ActivityCursor {
  const position = cursors.decode(text);
  if (position !== undefined) return position;
  throw new ApiError(
    'bad_cursor',
    'Invalid cursor. Follow the Link header of a page unchanged, or start without a cursor.',
    { parameter: 'cursor', value: text },
  );
}
