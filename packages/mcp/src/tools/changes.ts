import { CATALOGUE } from '../catalogue.ts';
import { recordsOf } from '../page-size.ts';
import {
  answer,
  integer,
  list,
  MAX_CREDITS,
  NARROW,
  object,
  oneOf,
  RECORDS,
  text,
  uuid,
} from '../schemas.ts';
import type { Tool } from './tool.ts';

const TYPES = CATALOGUE.signals.map(({ name }) => name);
const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 50;
/** The shortest form of a change, in characters. */
const CHANGE_SIZE = 350;
const CHANGE_WITH_NAMES_SIZE = 470;

interface Page {
  readonly signals: readonly unknown[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

/** Reads the change feed. */
export const followChanges: Tool = {
  name: 'follow_changes',
  title: 'Follow changes',
  description:
    `What changed: new rounds, investors, exits, people, news. ${CATALOGUE.creditsPerSignal} credits a change, ` +
    'half as much again with names; 1 at least. To continue later, repeat with next_cursor and the same arguments. ' +
    'Example: {"types":["round.recorded"],"since":"2026-01-01","narrow":{"country":"Germany"},"limit":10}.',
  input: object({
    types: list('Types of change.', { type: 'string', enum: TYPES }, TYPES.length),
    subject_ids: list('Only changes of these startups and funds.', uuid('An Id.'), 50),
    since: text('First detection date, such as 2026-01-31.', 40),
    until: text('First detection date that is excluded.', 40),
    occurred_since: text('First market date.', 40),
    occurred_until: text('First market date that is excluded.', 40),
    min_amount: integer('US dollars; excludes changes without an amount.', 0, 1_000_000_000_000),
    narrow: NARROW,
    order: {
      ...oneOf('desc: newest first. asc: follow forward.', ['desc', 'asc']),
      default: 'desc',
    },
    cursor: text('next_cursor of an earlier answer with the same order.', 500),
    limit: { ...integer('Changes to return.', 1, LIMIT_MAX), default: LIMIT_DEFAULT },
    names: {
      type: 'boolean',
      default: true,
      description: 'Include the names of subject and object.',
    },
    max_credits: MAX_CREDITS,
  }),
  output: answer({
    signals: RECORDS,
    has_more: { type: 'boolean' },
    next_cursor: { type: 'string' },
  }),
  metered: true,
  recordsIn: 'signals',
  argumentNames: {
    ...{ subject: 'subject_ids', minAmount: 'min_amount', expand: 'names' },
    ...{ occurredSince: 'occurred_since', occurredUntil: 'occurred_until' },
  },
  call: ({ narrow: narrowing, names = true, limit = LIMIT_DEFAULT, ...args }) => ({
    path: '/signals',
    parameters: {
      ...(narrowing as object | undefined),
      types: args.types,
      subject: args.subject_ids,
      since: args.since,
      until: args.until,
      occurredSince: args.occurred_since,
      occurredUntil: args.occurred_until,
      minAmount: args.min_amount,
      order: args.order,
      cursor: args.cursor,
      limit: Math.min(
        Number(limit),
        recordsOf(names === true ? CHANGE_WITH_NAMES_SIZE : CHANGE_SIZE),
      ),
      expand: names === true ? 'subject,object' : undefined,
    },
  }),
  answer: (_, { data }) => {
    const { signals, hasMore } = data as Page;
    return { signals, has_more: hasMore };
  },
  next: (_, { data }) => ({ next_cursor: (data as Page).nextCursor }),
};
