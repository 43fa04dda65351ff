import { CATALOGUE } from '../catalogue.ts';
import { decodeCursor, nextCursor } from '../cursor.ts';
import {
  answer,
  CURSOR,
  integer,
  list,
  MAX_CREDITS,
  NARROW,
  object,
  RECORDS,
  text,
  uuid,
} from '../schemas.ts';
import type { Arguments, Call, Tool } from './tool.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 50;

/** Reads the activity feed. */
export const recentActivity: Tool = {
  name: 'recent_activity',
  title: 'Recent activity',
  description:
    'What happened in the market, newest market date first, as headlines with links: one for each round, ' +
    `investment, exit, valuation, profile, person, news item. ${CATALOGUE.creditsPerSignal} credits a headline; 1 at least. ` +
    'To record every change, use follow_changes. ' +
    'Example: {"types":["round.recorded"],"narrow":{"industry":"Fintech"},"limit":10}.',
  input: object({
    types: list(
      'Types of event.',
      { type: 'string', enum: CATALOGUE.activity },
      CATALOGUE.activity.length,
    ),
    subject_ids: list('Only events of these startups and funds.', uuid('An Id.'), 50),
    since: text('First day, such as 2026-01-31.', 40),
    until: text('First day that is excluded.', 40),
    narrow: NARROW,
    cursor: CURSOR,
    limit: { ...integer('Headlines to return.', 1, LIMIT_MAX), default: LIMIT_DEFAULT },
    max_credits: MAX_CREDITS,
  }),
  output: answer({
    entries: RECORDS,
    next_cursor: { type: 'string' },
  }),
  metered: true,
  recordsIn: 'entries',
  argumentNames: { subject: 'subject_ids', $top: 'limit', $skip: 'cursor' },
  call: pageCall,
  answer: (_, { data }) => ({ entries: data }),
  next: ({ cursor }, response) =>
    nextCursor(cursor, (response.data as readonly unknown[]).length, response),
};

function pageCall({ narrow: narrowing, limit = LIMIT_DEFAULT, ...args }: Arguments): Call {
  const { skip, token } = decodeCursor(args.cursor);
  return {
    path: '/activityfeed',
    parameters: {
      ...(narrowing as object | undefined),
      types: args.types,
      subject: args.subject_ids,
      since: args.since,
      until: args.until,
      ...(token === undefined ? { $skip: skip === 0 ? undefined : skip } : { cursor: token }),
      $top: limit,
    },
  };
}
