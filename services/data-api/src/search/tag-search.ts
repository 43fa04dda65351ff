import { ApiError } from '@vcds/service-kit/api-errors';
import { dimensionById, ENTITIES, valuesMeantBy } from '@vcds/venture-model';
import { SIMILARITY_MIN } from '../narrowing/value-statements.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../serve/request/parameters.ts';
import { members, type Table } from '../tables/csv.ts';

/** Tags as a table. */
export const TAGS_TABLE: Table = { columns: members('value', 'label', 'count') };

/** Tags that resemble a text that none has. */
const ALIKE_MAX = 5;

/** A search for tags by prefix or part (docs/spec/search.md 7.4). */
export interface TagSearchPlan {
  readonly q: string;
  readonly top: number;
}

const Q: TextParameter = {
  kind: 'text',
  name: 'q',
  lengthMax: 100,
  description:
    'The beginning or a part of a tag; ignores case and accents. If no tag has it, the most similar ones are returned.',
  example: 'fintech',
};
const TOP: IntegerParameter = {
  kind: 'integer',
  name: 'top',
  ...{ min: 1, max: 100, default: 10 },
  description: 'The most tags to return.',
};
export const TAG_SEARCH_PARAMETERS: readonly Parameter[] = [Q, TOP];

/** @throws ApiError `bad_parameter` without `q`. */
export function parseTagSearch(reader: ParameterReader): TagSearchPlan {
  const q = reader.text(Q)?.trim();
  const top = reader.integer(TOP);
  if (q === undefined) {
    throw new ApiError('bad_parameter', 'A search requires q: the beginning or a part of a tag.', {
      parameter: 'q',
    });
  }
  return { q, top };
}

/**
 * Selects tags of startups: those that the text means (`AI`), those with the prefix, then those that
 * contain the text, most used first; if there are none, the most similar ones. Ignores case and accents. The counts are those of the facet industry.
 */
export function compileTagSearch(plan: TagSearchPlan): Statement {
  const values = new SqlValues();
  const q = `(SELECT venture.fold(${values.add(plan.q, 'text')}))`;
  const meant = values.add(valuesMeantBy(plan.q), 'text[]');
  const used = `FROM venture.dimension_value d
      JOIN venture.facet_count c
        ON c.entity = ${ENTITIES.startups.number} AND c.code = d.code AND c.count > 0
      WHERE d.dimension = ${dimensionById('industry').number}`;
  const text = `WITH found AS MATERIALIZED (
      SELECT d.value, d.value AS label, c.count ${used} AND (strpos(d.folded, ${q}) > 0 OR d.value = ANY (${meant}))
      ORDER BY d.value = ANY (${meant}) DESC, starts_with(d.folded, ${q}) DESC, c.count DESC, d.folded, d.value
      LIMIT ${plan.top}),
    alike AS (
      SELECT d.value, d.value AS label, c.count ${used} AND NOT EXISTS (SELECT FROM found)
        AND d.folded OPERATOR(venture.%) ${q} AND venture.similarity(d.folded, ${q}) >= ${SIMILARITY_MIN}
      ORDER BY venture.similarity(d.folded, ${q}) DESC, c.count DESC, d.value LIMIT least(${plan.top}, ${ALIKE_MAX}))
    SELECT count(*)::int AS records, false AS more, coalesce(json_agg(v), '[]')::text AS body
    FROM (SELECT * FROM found UNION ALL SELECT * FROM alike) AS v`;
  return { text, values: values.values, plan: 'generic' };
}
