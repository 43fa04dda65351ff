/** Where the entries of each type come from (docs/spec/activity.md 21.2): one row per type. */
import { isListedOfStartup } from '@vcds/venture-model';
import type { ActivityTypeName } from './activity-types.ts';
import { NIL } from './position.ts';

/** Records of a company: `FROM` and the condition that the id of the company meets. */
interface OfCompany {
  readonly from: string;
  readonly on: (company: string) => string;
}

/** The records with entries of one type. The row has the alias `r`. */
export interface ActivitySource {
  readonly from: string;
  /** The condition of the index of their order in the feed. */
  readonly listed: string;
  /** The column of the day. */
  readonly day: string;
  /** The columns that identify the record, in the order of the index. */
  readonly keys: readonly string[];
  /** SQL of the code of the subject type, of the subject and of the object. */
  readonly subjectType: string;
  readonly subject: string;
  readonly object: string;
  /** The relations that lead from a company to the records about it. */
  readonly ofCompany: readonly OfCompany[];
  /** The conditions that `listed` does not guarantee, on an entry `e`. */
  readonly live?: string;
  /** A SELECT of one JSON object with the {@link ActivityFacts} of an entry `e`. */
  readonly facts: string;
}

const STARTUP = { subjectType: '1', object: 'NULL::uuid' } as const;
const FUND = { subjectType: '2', object: 'NULL::uuid' } as const;

const byColumn = (from: string, ...columns: readonly string[]): readonly OfCompany[] =>
  columns.map((column) => ({ from, on: (company) => `r.${column} = ${company}` }));

// Not EXISTS, for which the planner may read the whole table into a hash table.
const isLive = (table: string, id: string) =>
  `(SELECT l.deleted_at IS NULL FROM venture.${table} l WHERE l.id = ${id})`;

/** The two first investors of a round `r`, leaders first, the number of all, and whether one led. */
const INVESTORS = `(
  SELECT json_build_object('count', count(*), 'led', coalesce(bool_or(i.lead), false),
    'names', coalesce((array_agg(i.name ORDER BY i.lead DESC, i.name COLLATE "C"))[1:2], '{}'))
  FROM (
    SELECT coalesce(f.name, q.name) AS name, p.lead FROM venture.round_investor p
    LEFT JOIN venture.fund f ON f.id = p.fund_id AND f.deleted_at IS NULL
    LEFT JOIN venture.person q ON q.id = p.person_id AND q.deleted_at IS NULL
    WHERE p.round_id = r.id AND p.deleted_at IS NULL AND coalesce(f.id, q.id) IS NOT NULL) i)`;

const HOLDING = {
  from: 'venture.holding r',
  keys: ['r.fund_id', 'r.startup_id'],
  subjectType: '2',
  subject: 'r.fund_id',
  object: 'r.startup_id',
  ofCompany: byColumn('venture.holding r', 'fund_id', 'startup_id'),
  live: `${isLive('fund', 'e.subject_id')} AND ${isLive('startup', 'e.object_id')}`,
  facts: `SELECT json_build_object('name', f.name, 'object', s.name, 'status', h.status,
      'urls', ARRAY[s.website, f.website])
    FROM venture.holding h JOIN venture.fund f ON f.id = h.fund_id
    JOIN venture.startup s ON s.id = h.startup_id
    WHERE h.fund_id = e.subject_id AND h.startup_id = e.object_id`,
} as const;

const profile = (table: 'startup' | 'fund') =>
  ({
    from: `venture.${table} r`,
    listed: 'r.deleted_at IS NULL AND r.event_date IS NOT NULL',
    day: 'r.event_date',
    keys: ['r.id'],
    ...(table === 'startup' ? STARTUP : FUND),
    subject: 'r.id',
    ofCompany: byColumn(`venture.${table} r`, 'id'),
    facts: `SELECT json_build_object('name', r.name, 'urls', ARRAY[r.website])
      FROM venture.${table} r WHERE r.id = e.subject_id`,
  }) as const;

export const ACTIVITY_SOURCES: Readonly<Record<ActivityTypeName, ActivitySource>> = Object.freeze({
  __proto__: null,
  'round.recorded': {
    ...STARTUP,
    from: 'venture.funding_round r',
    listed: `r.confirmed AND ${isListedOfStartup('r')} AND r.event_date IS NOT NULL`,
    day: 'r.event_date',
    keys: ['r.id'],
    subject: 'r.startup_id',
    object: 'r.id',
    ofCompany: [
      ...byColumn('venture.funding_round r', 'startup_id'),
      {
        from: 'venture.round_investor p JOIN venture.funding_round r ON r.id = p.round_id',
        on: (company: string) =>
          `p.investor_id = ${company} AND p.fund_id IS NOT NULL AND p.deleted_at IS NULL`,
      },
    ],
    facts: `SELECT json_build_object('name', s.name, 'amount', r.amount, 'stage', r.stage,
        'series', r.series, 'investors', ${INVESTORS}, 'urls', ARRAY[r.source_url, s.website])
      FROM venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
      WHERE r.id = e.object_id`,
  },
  'valuation.recorded': {
    ...STARTUP,
    from: 'venture.post_valuation r',
    listed: `${isListedOfStartup('r')} AND r.event_date IS NOT NULL`,
    day: 'r.event_date',
    keys: ['r.id'],
    subject: 'r.startup_id',
    object: 'r.id',
    ofCompany: byColumn('venture.post_valuation r', 'startup_id'),
    facts: `SELECT json_build_object('name', s.name, 'amount', r.amount,
        'estimated', r.estimated, 'urls', ARRAY[r.source_url, s.website])
      FROM venture.post_valuation r JOIN venture.startup s ON s.id = r.startup_id
      WHERE r.id = e.object_id`,
  },
  'portfolio.company_added': {
    ...HOLDING,
    listed: 'r.rounds_count = 0 AND r.deleted_at IS NULL AND r.event_date IS NOT NULL',
    day: 'r.event_date',
  },
  'portfolio.exit_recorded': {
    ...HOLDING,
    listed: 'r.deleted_at IS NULL AND r.exit_date IS NOT NULL',
    day: 'r.exit_date',
  },
  'startup.added': profile('startup'),
  'fund.added': profile('fund'),
  'team.person_added': {
    ...FUND,
    from: 'venture.fund_person r',
    listed: 'r.deleted_at IS NULL AND r.event_date IS NOT NULL',
    day: 'r.event_date',
    keys: ['r.fund_id', 'r.person_id'],
    subject: 'r.fund_id',
    object: 'r.person_id',
    ofCompany: byColumn('venture.fund_person r', 'fund_id'),
    live: `${isLive('fund', 'e.subject_id')} AND ${isLive('person', 'e.object_id')}`,
    facts: `SELECT json_build_object('name', f.name, 'object', q.name, 'title', r.title,
        'urls', ARRAY[f.website])
      FROM venture.fund_person r JOIN venture.fund f ON f.id = r.fund_id
      JOIN venture.person q ON q.id = r.person_id
      WHERE r.fund_id = e.subject_id AND r.person_id = e.object_id`,
  },
  'news.mention': {
    from: 'venture.news r',
    listed: `r.deleted_at IS NULL AND r.event_date IS NOT NULL
      AND (r.live_startup_id IS NOT NULL OR r.live_fund_id IS NOT NULL)`,
    day: 'r.event_date',
    keys: ['r.id'],
    subjectType: 'CASE WHEN r.live_startup_id IS NULL THEN 2 ELSE 1 END',
    subject: 'coalesce(r.live_startup_id, r.live_fund_id)',
    object: 'r.id',
    ofCompany: byColumn('venture.news r', 'live_startup_id', 'live_fund_id'),
    facts: `SELECT json_build_object('name', coalesce(s.name, f.name), 'object', r.title,
        'urls', ARRAY[r.url, s.website, f.website])
      FROM venture.news r LEFT JOIN venture.startup s ON s.id = r.live_startup_id
      LEFT JOIN venture.fund f ON f.id = r.live_fund_id WHERE r.id = e.object_id`,
  },
} as const);

/** The columns of an entry: its type, position, subject and object. */
export function entryColumns(source: ActivitySource, code: number): string {
  const [first, second = `'${NIL}'::uuid`] = source.keys;
  return `${code}::smallint AS type, ${source.day} AS day, ${first} AS key1, ${second} AS key2,
    ${source.subjectType}::smallint AS subject_type, ${source.subject} AS subject_id,
    ${source.object} AS object_id`;
}
