import type { TagSearchPlan } from '../plan/tag-search-plan.ts';
import { SqlValues } from './sql-values.ts';
import type { Statement } from './statement.ts';

/** Tags looked at, shortest first, before the most used are taken. */
const CANDIDATES_MAX = 500;

/**
 * Tags by prefix, then those that contain the text, most used first; the count is of startups.
 * Case and accents are ignored.
 */
export function compileTagSearch(plan: TagSearchPlan): Statement {
  const values = new SqlValues();
  const q = `(SELECT venture.fold(${values.add(plan.q, 'text')}))`;
  const text = `SELECT count(*)::int AS records, false AS more,
    coalesce(json_agg(v), '[]')::text AS body
    FROM (
      SELECT t.label AS value, t.label, u.count
      FROM (
        SELECT c.label, starts_with(c.folded, ${q}) AS is_prefix
        FROM (SELECT label, venture.fold(label) AS folded FROM venture.term WHERE kind = 'tag') c
        WHERE strpos(c.folded, ${q}) > 0
        ORDER BY is_prefix DESC, length(c.label), c.label LIMIT ${CANDIDATES_MAX}) t
      CROSS JOIN LATERAL (
        SELECT count(*) FROM venture.startup s
        WHERE s.tags @> ARRAY[t.label] AND s.deleted_at IS NULL) AS u
      WHERE u.count > 0
      ORDER BY t.is_prefix DESC, u.count DESC, t.label
      LIMIT ${plan.top}) AS v`;
  return { text, values: values.values, recurs: true };
}
