/** The activity feed: the signals with a market date, in its order (docs/spec/activity.md 21.2). */
import { allIdsSql, currentIdSql } from '../merged/current-ids.ts';
import type { Feed } from '../signals/scan.ts';
import { SIGNAL_TYPES } from '../signals/signal-types.ts';

const isOf = (...types: readonly string[]) =>
  `e.type IN (${SIGNAL_TYPES.flatMap(({ name, code }) => (types.includes(name) ? code : []))})`;

// LIMIT keeps each a look-up: otherwise the planner may read a whole table into a hash table.
const one = (table: string, name: string, condition: string) =>
  `LEFT JOIN LATERAL (SELECT * FROM venture.${table} t
    WHERE t.deleted_at IS NULL AND ${condition} LIMIT 1) ${name} ON true`;

const IS_OF_ROUND = isOf('investor.joined_round', 'round.recorded', 'round.updated');
const IS_OF_HOLDING = isOf('portfolio.company_added', 'portfolio.exit_recorded');
/** The records that the subject and object of a signal `e` are today: signals keep the ids they had. */
const CURRENT = `CROSS JOIN LATERAL (SELECT
    CASE e.subject_type WHEN 1 THEN ${currentIdSql('startup', 'e.subject_id')}
      ELSE ${currentIdSql('fund', 'e.subject_id')} END AS subject,
    CASE WHEN ${IS_OF_ROUND} THEN ${currentIdSql('round', 'e.object_id')}
      WHEN ${IS_OF_HOLDING} THEN ${currentIdSql('startup', 'e.object_id')}
      ELSE e.object_id END AS object) current`;
const PAIR = 't.fund_id = current.subject';
/** The records of a signal `e` that are there as it has them; each may need those before it. */
const RECORDS = [
  CURRENT,
  one(
    'round_investor',
    'joined',
    `${isOf('investor.joined_round')} AND t.round_id = current.object AND t.investor_id = current.subject`,
  ),
  one(
    'funding_round',
    'round',
    `t.id = current.object AND NOT t.startup_deleted AND (t.id = joined.round_id
      OR ${isOf('round.recorded', 'round.updated')} AND t.startup_id = current.subject)`,
  ),
  one(
    'post_valuation',
    'valuation',
    `${isOf('valuation.recorded')} AND t.id = e.object_id AND NOT t.startup_deleted
      AND t.startup_id = current.subject`,
  ),
  one(
    'news',
    'news',
    `${isOf('news.mention')} AND t.id = e.object_id
      AND current.subject IN (t.live_startup_id, t.live_fund_id)`,
  ),
  one(
    'startup',
    'startup',
    `t.id = CASE WHEN e.subject_type = 1 THEN current.subject
      ELSE coalesce(round.startup_id, current.object) END`,
  ),
  one('fund', 'fund', 'e.subject_type = 2 AND t.id = current.subject'),
  one('person', 'person', `${isOf('team.person_added')} AND t.id = e.object_id`),
  one('fund_person', 'member', `${PAIR} AND t.person_id = person.id`),
  one(
    'holding',
    'holding',
    `${PAIR} AND t.startup_id = startup.id AND (${isOf('portfolio.company_added')}
      OR ${isOf('portfolio.exit_recorded')} AND t.status <> 'Held')`,
  ),
].join(' ');

/** Whether no signal `l` of the type of `e`, with such an object or as `e` with none, meets a condition. */
const none = (object: string, condition: string) =>
  [object, 'e.object_id IS NULL']
    .map(
      (same) => `NOT coalesce((SELECT true FROM venture.signal l WHERE ${same}
        AND l.type = e.type AND l.dated AND ${condition} LIMIT 1), false)`,
    )
    .join(' AND ');

/** Whether no statement with a lesser id has a signal about the same company, round or holding. */
const IS_FIRST = `(${isOf('startup.updated', 'fund.updated')}
  OR (e.subject_id, e.object_id) IS NOT DISTINCT FROM (current.subject, current.object)
  OR ${none(
    `l.object_id = ANY (${allIdsSql('current.object')})`,
    `l.subject_id = ANY (${allIdsSql('current.subject')})
      AND (l.subject_id, l.object_id) < (e.subject_id, e.object_id)`,
  )})`;

/** Whether the subject and the object of a signal `e` are there, and no later one is about the same. */
const IS_ENTRY = `(SELECT CASE e.subject_type WHEN 1 THEN startup.id ELSE fund.id END IS NOT NULL
      AND (e.object_id IS NULL OR coalesce(round.id, valuation.id, news.id, member.person_id,
        holding.startup_id) IS NOT NULL)
      AND ${IS_FIRST}
    FROM (SELECT) x ${RECORDS})
  AND ${none(
    'l.object_id = e.object_id',
    `l.subject_id = e.subject_id AND l.occurred_at = e.occurred_at
      AND l.detected_at > e.detected_at`,
  )}`;

/** The two first investors of a round, leaders first, the number of all, and whether one led. */
const INVESTORS = `(
  SELECT json_build_object('count', count(*), 'led', coalesce(bool_or(i.lead), false),
    'names', coalesce((array_agg(i.name ORDER BY i.lead DESC, i.name COLLATE "C"))[1:2], '{}'))
  FROM (
    SELECT coalesce(f.name, q.name) AS name, p.lead FROM venture.round_investor p
    LEFT JOIN venture.fund f ON f.id = p.fund_id AND f.deleted_at IS NULL
    LEFT JOIN venture.person q ON q.id = p.person_id AND q.deleted_at IS NULL
    WHERE p.round_id = round.id AND p.deleted_at IS NULL AND coalesce(f.id, q.id) IS NOT NULL) i)`;

/** The `ActivityFacts` of a signal `e`. */
const FACTS = `json_strip_nulls(json_build_object(
  'name', CASE e.subject_type WHEN 1 THEN startup.name ELSE fund.name END,
  'object', coalesce(news.title, person.name, startup.name),
  'amount', coalesce(round.amount, valuation.amount), 'stage', round.stage, 'series', round.series,
  'confirmed', round.confirmed, 'estimated', valuation.estimated, 'status', holding.status,
  'title', member.title,
  'investors', CASE WHEN ${isOf('round.recorded', 'round.updated')} THEN ${INVESTORS} END,
  'urls', ARRAY[news.url, round.source_url, valuation.source_url, startup.website, fund.website]))`;

const of = (row: string, sql: string) => sql.replace(/\be\./g, `${row}.`);

export const ACTIVITY_FEED: Feed = {
  columns: ['occurred_at', 'detected_at'],
  isIndexed: false,
  ...{ only: 'dated', typeCast: '::integer' },
  recordsMax: 'fallbackCompaniesMax',
  isEntry: (row) => of(row, IS_ENTRY),
  rows: { columns: [`${of('h', FACTS)} AS facts`], joins: of('h', RECORDS) },
};
