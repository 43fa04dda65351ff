import type { Statement } from '../postgres/statement.ts';
import type { Candidate } from './candidate-statements.ts';
import { type MatchField, returnedFields } from './search-request.ts';

const COLUMNS: Readonly<Record<MatchField, string>> = {
  Id: 'c.id',
  Type: 'm.type',
  Name: 'c.name',
  Website: 'c.website',
  Domain: 'c.domain',
  Location: 'c.location',
  Country: 'c.countries',
  Description: 'c.description',
  Tags: 'c.tags',
  LogoUrl: 'c.logo_url',
  Score: 'm.score',
  MatchedOn: 'm.matched_on',
};

/** A match, with the values of `Score` and `MatchedOn`. */
interface Match {
  readonly candidate: Pick<Candidate, 'type' | 'id'>;
  readonly score: number;
  readonly matchedOn: string;
}

/** The matches as JSON, in the given order, without those deleted since the ranking. */
export function compileMatches(
  ranked: readonly Match[],
  fields?: readonly MatchField[],
): Statement {
  const answer = returnedFields(fields)
    .map((field) => `${COLUMNS[field]} AS "${field}"`)
    .join(', ');
  const rows = (['startup', 'fund'] as const).map(
    (type) => `SELECT m.position, (SELECT row_to_json(o) FROM (SELECT ${answer}) AS o)::text AS json
      FROM m JOIN venture.${type} c ON c.id = m.id AND c.deleted_at IS NULL
      WHERE m.type = '${type}'`,
  );
  return {
    text: `WITH m AS (
        SELECT * FROM unnest($1::text[], $2::uuid[], $3::float8[], $4::text[])
          WITH ORDINALITY AS u(type, id, score, matched_on, position))
      SELECT count(*)::int AS records,
        '[' || coalesce(string_agg(json, ',' ORDER BY position), '') || ']' AS body
      FROM (${rows.join(' UNION ALL ')}) AS a`,
    values: [
      ranked.map(({ candidate }) => candidate.type),
      ranked.map(({ candidate }) => candidate.id),
      ranked.map(({ score }) => score),
      ranked.map(({ matchedOn }) => matchedOn),
    ],
    plan: 'generic',
  };
}
