import { ApiError } from '@vcds/service-kit';
import { assertTopWithinPlan } from '../collections/plan.ts';
import { type PlannedNarrowing, planNarrowing } from '../narrowing/plan.ts';
import type { Answer } from '../postgres/database.ts';
import type { PageCeiling } from '../serve/request/parameter-reader.ts';
import { planTypes } from '../signals/plan.ts';
import { type FeedReads, readFeed } from '../signals/read-feed.ts';
import { type FeedRow, subjectTypeOf } from '../signals/scan.ts';
import { type SignalType, signalTypeCoded } from '../signals/signal-types.ts';
import { microsecondsOf } from '../signals/timestamps.ts';
import { members, nested, type Table } from '../tables/csv.ts';
import { ACTIVITY_FEED } from './activity-feed.ts';
import type { ActivityCursor, ActivityCursorCodec } from './cursor.ts';
import type { ActivityQuery } from './query.ts';
import { type ActivityFacts, activityTitle } from './titles.ts';

/** A page of the activity feed (docs/spec/activity.md 21.1). */
export interface ActivityPlan extends Omit<ActivityQuery, 'types' | 'narrowing' | 'cursor'> {
  readonly types: readonly SignalType[];
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
  const after = cursor === undefined ? undefined : cursors.decode(cursor);
  if (cursor !== undefined && after === undefined) {
    throw new ApiError(
      'bad_cursor',
      'Invalid cursor. Follow the Link header of a page unchanged, or start without a cursor.',
      { parameter: 'cursor', value: cursor },
    );
  }
  const planned = { types: planTypes(types), narrowing: planNarrowing(narrowing) };
  return { ...query, ...planned, after };
}

export interface ActivitySources extends FeedReads {
  /** Encodes the cursors of the activity feed. */
  readonly cursors: { readonly activity: ActivityCursorCodec };
}

interface ActivityRow extends FeedRow {
  readonly facts: ActivityFacts;
}

/**
 * Reads a page. `next` is the cursor of the next page, if it has an entry; its page is read from a
 * server that has at least the signals that this one had.
 *
 * @throws ApiError as {@link readFeed}.
 */
export async function readActivity(plan: ActivityPlan, sources: ActivitySources): Promise<Answer> {
  const { types, subjects, narrowing, skip, top, after, range } = plan;
  const { sinceUs, untilUs } = range;
  // After a position, the rest of its instant follows.
  const isAfter = after !== undefined && (untilUs === undefined || after.occurredAtUs < untilUs);
  const end = isAfter ? [after.occurredAtUs, after.detectedAtUs] : untilUs && [untilUs];
  const { rows, hasMore, newestUs } = await readFeed<ActivityRow>(
    {
      feed: ACTIVITY_FEED,
      ...{ types, subjects, narrowing, skip, conditions: [], order: 'desc', limit: top },
      range: { from: sinceUs === undefined ? undefined : [sinceUs], to: end || undefined },
      requiredUs: after?.seenUs ?? 0n,
    },
    sources,
  );
  const last = rows.at(-1);
  const next = hasMore &&
    last !== undefined && {
      occurredAtUs: microsecondsOf(last.occurredAt),
      detectedAtUs: microsecondsOf(last.detectedAt),
      seenUs: newestUs,
    };
  return {
    body: JSON.stringify(rows.map(activityJson)),
    records: rows.length,
    more: hasMore,
    ...(next && { next: sources.cursors.activity.encode(next) }),
  };
}

/** Entries as a table. */
export const ACTIVITY_TABLE: Table = {
  columns: [
    ...members('Id', 'Date', 'Type', 'Title'),
    ...nested('Subject', members('Type', 'Id', 'Name')),
    ...members('Amount', 'Url'),
  ],
};

/** An entry of the activity feed as JSON (docs/spec/activity.md 21.3). */
function activityJson({ id, occurredAt, type, subjectType, subjectId, facts }: ActivityRow) {
  const { name } = signalTypeCoded(type);
  return {
    Id: id,
    Date: occurredAt.slice(0, 'YYYY-MM-DD'.length),
    Type: name,
    Title: activityTitle(name, facts),
    Subject: { Type: subjectTypeOf(subjectType), Id: subjectId, Name: facts.name },
    Amount: facts.amount ?? null,
    Url: facts.urls.find((url) => url !== null && /^https?:\/\//i.test(url)) ?? null,
  };
}
