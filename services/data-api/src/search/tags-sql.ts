import { dimensionById, ENTITIES } from '@vcds/venture-model';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { TagSearchPlan } from './tags-query.ts';

/**
 * Tags of startups by prefix, then those that contain the text, most used first.
 * Case and accents are ignored. The counts are those of the facets of industry.
 */
export function compileTagSearch(plan: TagSearchPlan): Statement {
  const values = new SqlValues();
  const q = `(SELECT venture.fold(${values.add(plan.q, 'text')}))`;
  const text = `SELECT count(*)::int AS records, false AS more,
    coalesce(json_agg(v), '[]')::text AS body
    FROM (
      SELECT d.value, d.value AS label, c.count
      FROM venture.dimension_value d
      JOIN venture.facet_count c
        ON c.entity = ${ENTITIES.startups.number} AND c.code = d.code AND c.count > 0
      WHERE d.dimension = ${dimensionById('industry').number} AND strpos(d.folded, ${q}) > 0
      ORDER BY starts_with(d.folded, ${q}) DESC, c.count DESC, d.folded, d.value
      LIMIT ${plan.top}) AS v`;
  return { text, values: values.values, recurs: true };
}
