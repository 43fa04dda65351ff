import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { MatchingPlan } from './plan.ts';

type Subject = NonNullable<MatchingPlan['subject']>;
type HitType = Subject['type'];

/** The subject of a call as it is now: what the data of the model may lack. */
export interface SubjectRow {
  readonly tags: readonly string[];
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly founded: number;
  /** The stage that its next round is expected to have; 0 if unknown, and of funds. */
  readonly nextStage: number;
  /** Its current investors or investments, unless the call includes these. */
  readonly current: readonly string[];
}

/** Current investments that a call reads at most; the candidates beyond are filtered by their record. */
const CURRENT_MAX = 10_000;

/** A startup or fund of a hit. */
export interface ReferenceRow {
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly countries: readonly string[];
}

/** The live record of the subject; no row if there is none. */
export function compileSubject({ type, id }: Subject, includesCurrent: boolean): Statement {
  const values = new SqlValues();
  const subject = values.add(id, 'uuid');
  const other = type === 'fund' ? 'startup' : 'fund';
  const current = includesCurrent
    ? `'{}'::uuid[]`
    : `ARRAY(SELECT h.${other}_id FROM venture.holding h
        WHERE h.${type}_id = ${subject} AND h.deleted_at IS NULL LIMIT ${CURRENT_MAX})`;
  const nextStage = type === 'startup' ? 'coalesce(next_funding_stage, 0)' : '0';
  const text = `SELECT tags, coalesce(countries[1], '') AS country,
      coalesce(regions[1], '') AS region, coalesce(cities[1], '') AS city,
      coalesce(founded, 0) AS founded, ${nextStage} AS "nextStage",
      ${current} AS current
    FROM venture.${type} WHERE id = ${subject} AND deleted_at IS NULL`;
  return { text, values: values.values, plan: 'generic' };
}

/**
 * Those of the candidates, in their order, that can be returned: not deleted, not closed, and
 * without an investment by or in the subject, unless the call includes these.
 */
export function compileReferences(
  type: HitType,
  ids: readonly string[],
  { subject, includesCurrent, top }: Pick<MatchingPlan, 'subject' | 'includesCurrent' | 'top'>,
): Statement {
  const values = new SqlValues();
  const candidates = values.add(ids, 'uuid[]');
  const current =
    subject === undefined || includesCurrent
      ? ''
      : `AND NOT EXISTS (SELECT FROM venture.holding h WHERE h.deleted_at IS NULL
          AND h.${type}_id = r.id AND h.${subject.type}_id = ${values.add(subject.id, 'uuid')})`;
  const text = `SELECT r.id, r.name, r.website, r.countries
    FROM unnest(${candidates}) WITH ORDINALITY AS c(id, position)
    JOIN venture.${type} r ON r.id = c.id
    WHERE r.deleted_at IS NULL AND r.operating_status IS DISTINCT FROM 'Closed' ${current}
    ORDER BY c.position LIMIT ${values.add(top, 'integer')}`;
  return { text, values: values.values, plan: 'generic' };
}

/** The names of funds that are not deleted. */
export function compileFundNames(ids: readonly string[]): Statement {
  const values = new SqlValues();
  const text = `SELECT id, name FROM venture.fund
    WHERE id = ANY (${values.add(ids, 'uuid[]')}) AND deleted_at IS NULL`;
  return { text, values: values.values, plan: 'generic' };
}
