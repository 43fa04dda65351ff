/** The facts of an entry, and whether it is still true, by type of signal (docs/spec/activity.md 21.2). */
import { SIGNAL_TYPES } from '../signals/signal-types.ts';

/** The record of the events of some types; `e` is the alias of the signal. */
interface EventRecord {
  readonly types: readonly string[];
  /** The condition that the record and its companies are still there, as the signal has them. */
  readonly live: string;
  /** A SELECT of one JSON object with the `ActivityFacts`. */
  readonly facts: string;
}

// Not EXISTS, for which the planner may read the whole table into a hash table.
const isLive = (table: string, id: string) =>
  `(SELECT l.deleted_at IS NULL FROM venture.${table} l WHERE l.id = ${id})`;
const holds = (condition: string, from: string, on: string) =>
  `(SELECT ${condition} FROM venture.${from} r WHERE ${on})`;

/** The two first investors of a round `r`, leaders first, the number of all, and whether one led. */
const INVESTORS = `(
  SELECT json_build_object('count', count(*), 'led', coalesce(bool_or(i.lead), false),
    'names', coalesce((array_agg(i.name ORDER BY i.lead DESC, i.name COLLATE "C"))[1:2], '{}'))
  FROM (
    SELECT coalesce(f.name, q.name) AS name, p.lead FROM venture.round_investor p
    LEFT JOIN venture.fund f ON f.id = p.fund_id AND f.deleted_at IS NULL
    LEFT JOIN venture.person q ON q.id = p.person_id AND q.deleted_at IS NULL
    WHERE p.round_id = r.id AND p.deleted_at IS NULL AND coalesce(f.id, q.id) IS NOT NULL) i)`;

const ROUND = `'amount', r.amount, 'stage', r.stage, 'series', r.series, 'confirmed', r.confirmed`;
const HOLDING = 'r.fund_id = e.subject_id AND r.startup_id = e.object_id';
const HOLDING_LIVE = `${isLive('fund', 'e.subject_id')} AND ${isLive('startup', 'e.object_id')} AND `;
const HOLDING_FACTS = `SELECT json_build_object('name', f.name, 'object', s.name, 'status', r.status,
    'urls', ARRAY[s.website, f.website])
  FROM venture.holding r JOIN venture.fund f ON f.id = r.fund_id
  JOIN venture.startup s ON s.id = r.startup_id WHERE ${HOLDING}`;

const profile = (table: 'startup' | 'fund'): EventRecord => ({
  types: [`${table}.added`, `${table}.updated`],
  live: isLive(table, 'e.subject_id'),
  facts: `SELECT json_build_object('name', r.name, 'urls', ARRAY[r.website])
    FROM venture.${table} r WHERE r.id = e.subject_id`,
});

const EVENT_RECORDS: readonly EventRecord[] = [
  {
    types: ['round.recorded', 'round.updated'],
    live: holds(
      'r.deleted_at IS NULL AND NOT r.startup_deleted AND r.startup_id = e.subject_id',
      'funding_round',
      'r.id = e.object_id',
    ),
    facts: `SELECT json_build_object('name', s.name, ${ROUND}, 'investors', ${INVESTORS},
        'urls', ARRAY[r.source_url, s.website])
      FROM venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
      WHERE r.id = e.object_id`,
  },
  {
    types: ['investor.joined_round'],
    live: `${isLive('fund', 'e.subject_id')}
      AND ${holds('r.deleted_at IS NULL AND NOT r.startup_deleted', 'funding_round', 'r.id = e.object_id')}
      AND ${holds('r.deleted_at IS NULL', 'round_investor', 'r.round_id = e.object_id AND r.investor_id = e.subject_id')}`,
    facts: `SELECT json_build_object('name', f.name, 'object', s.name, ${ROUND},
        'urls', ARRAY[r.source_url, s.website, f.website])
      FROM venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
      JOIN venture.fund f ON f.id = e.subject_id WHERE r.id = e.object_id`,
  },
  {
    types: ['valuation.recorded'],
    live: holds(
      'r.deleted_at IS NULL AND NOT r.startup_deleted AND r.startup_id = e.subject_id',
      'post_valuation',
      'r.id = e.object_id',
    ),
    facts: `SELECT json_build_object('name', s.name, 'amount', r.amount,
        'estimated', r.estimated, 'urls', ARRAY[r.source_url, s.website])
      FROM venture.post_valuation r JOIN venture.startup s ON s.id = r.startup_id
      WHERE r.id = e.object_id`,
  },
  {
    types: ['portfolio.company_added'],
    live: HOLDING_LIVE + holds('r.deleted_at IS NULL', 'holding', HOLDING),
    facts: HOLDING_FACTS,
  },
  {
    types: ['portfolio.exit_recorded'],
    live: HOLDING_LIVE + holds(`r.deleted_at IS NULL AND r.status <> 'Held'`, 'holding', HOLDING),
    facts: HOLDING_FACTS,
  },
  profile('startup'),
  profile('fund'),
  {
    types: ['team.person_added'],
    live: `${isLive('fund', 'e.subject_id')} AND ${isLive('person', 'e.object_id')}
      AND ${holds('r.deleted_at IS NULL', 'fund_person', 'r.fund_id = e.subject_id AND r.person_id = e.object_id')}`,
    facts: `SELECT json_build_object('name', f.name, 'object', q.name, 'title', r.title,
        'urls', ARRAY[f.website])
      FROM venture.fund_person r JOIN venture.fund f ON f.id = r.fund_id
      JOIN venture.person q ON q.id = r.person_id
      WHERE r.fund_id = e.subject_id AND r.person_id = e.object_id`,
  },
  {
    types: ['news.mention'],
    live: holds(
      'r.deleted_at IS NULL AND e.subject_id IN (r.live_startup_id, r.live_fund_id)',
      'news',
      'r.id = e.object_id',
    ),
    facts: `SELECT json_build_object('name', coalesce(s.name, f.name), 'object', r.title,
        'urls', ARRAY[r.url, s.website, f.website])
      FROM venture.news r LEFT JOIN venture.startup s ON s.id = e.subject_id
      LEFT JOIN venture.fund f ON f.id = e.subject_id WHERE r.id = e.object_id`,
  },
];

/** SQL of a value of each type, for the signal `e`. */
function byType(sqlOf: (record: EventRecord) => string): string {
  const cases = EVENT_RECORDS.map((record) => {
    const codes = SIGNAL_TYPES.filter(({ name }) => record.types.includes(name));
    return `WHEN e.type IN (${codes.map(({ code }) => code).join()}) THEN (${sqlOf(record)})`;
  });
  return `CASE ${cases.join(' ')} END`;
}

export const ENTRY_FACTS = byType(({ facts }) => facts);

/**
 * Whether a signal `e` is an entry: its records are there, and no later signal is about the same
 * event, such as a valuation that was corrected or a round that was restored.
 */
export const IS_ENTRY = `(${byType(({ live }) => live)}) IS TRUE AND ${[
  'l.object_id = e.object_id AND l.subject_id = e.subject_id',
  'e.object_id IS NULL AND l.subject_id = e.subject_id',
]
  .map(
    (same) => `(SELECT true FROM venture.signal l WHERE ${same} AND l.type = e.type
      AND l.occurred_at = e.occurred_at AND l.dated AND l.detected_at > e.detected_at LIMIT 1) IS NULL`,
  )
  .join(' AND ')}`;
