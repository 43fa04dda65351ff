import { echo, nearest, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { assertTopWithinPlan } from '../collections/plan.ts';
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import type { PageCeiling } from '../request/parameter-reader.ts';
import { signalTypeOf } from '../signals/signal-types.ts';
import { ACTIVITY_TYPES, type ActivityType, activityTypeNamed } from './activity-types.ts';
import type { ActivityCursor, ActivityCursorCodec } from './position.ts';
import type { ActivityQuery } from './query.ts';

/** A page of the activity feed (docs/spec/activity.md 21.1). */
export interface ActivityPlan {
  readonly kind: 'activity';
  readonly types: readonly ActivityType[];
  readonly subjects: readonly string[] | undefined;
  /** From the first day, inclusive, to the second, exclusive; days since 1970-01-01. */
  readonly fromDay: number | undefined;
  readonly toDay: number | undefined;
  readonly top: number;
  readonly skip: number;
  /** The page starts after it. */
  readonly after: ActivityCursor | undefined;
  readonly narrowing: readonly PlannedNarrowing[];
}

const DAY_US = 86_400_000_000n;
/** Signals that are part of an entry of another type. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ['round.updated', 'round.recorded'],
  ['investor.joined_round', 'round.recorded'],
]);

/**
 * Resolves types, cursor and values.
 *
 * @throws ApiError `unknown_signal_type`, `bad_cursor`, `top_above_plan`; QueryError `unknown_value`.
 */
export function planActivity(
  query: ActivityQuery,
  cursors: ActivityCursorCodec,
  ceiling: PageCeiling,
): ActivityPlan {
  const { types, subjects, range, top, skip, cursor, narrowing } = query;
  assertTopWithinPlan(top, ceiling);
  return {
    kind: 'activity',
    types: types === undefined ? ACTIVITY_TYPES : types.map(typeNamed),
    subjects,
    fromDay: dayFrom(range.sinceUs),
    toDay: dayFrom(range.untilUs),
    ...{ top, skip },
    after: cursor === undefined ? undefined : decodeCursor(cursor, cursors),
    narrowing: planNarrowing(narrowing),
  };
}

/** The first day that begins at or after an instant: an entry is at the midnight of its day. */
function dayFrom(us: bigint | undefined): number | undefined {
  if (us === undefined) return undefined;
  const days = us / DAY_US;
  return Number(us > days * DAY_US ? days + 1n : days);
}

function typeNamed(name: string): ActivityType {
  const found = activityTypeNamed(name);
  if (found !== undefined) return found;
  const allowed = ACTIVITY_TYPES.map((type) => type.name);
  const suggestion = FOLDED.get(name) ?? nearest(name, allowed);
  const isSignal = signalTypeOf(name) !== undefined;
  const message = isSignal
    ? `The activity feed has no '${echo(name)}' entries; the change feed /signals has them.`
    : `Unknown activity type '${echo(name)}'.`;
  throw new ApiError('unknown_signal_type', withHint(message, suggestion), {
    parameter: 'types',
    value: name,
    allowed,
    suggestion,
    see: '/signals/types',
  });
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
