import { nearest, parseSelect, QueryError } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/refusals';
import {
  type CompanyType,
  type MatchField,
  matchFields,
  qLengthMax,
  type SearchRequest,
  searchTopMax,
  websiteLengthMax,
} from '../search/index.ts';
import type { ParameterReader } from './parameter-reader.ts';

/** What a search reads, and its default size (spec §8.3): of companies of one type, or of several. */
export const SEARCHES = {
  oneType: { accepts: ['q', 'website', 'top'], top: 10 },
  companies: { accepts: ['q', 'website', 'fields', 'top'], top: 5 },
} as const;

const TOP_BOUNDS = { min: 1, max: searchTopMax } as const;
const FIELDS_LENGTH_MAX = 1_000;

/**
 * Reads a search by name or website.
 *
 * @throws ApiError `bad_parameter` without `q` and `website`; `unknown_field` in `fields`.
 */
export function parseSearchRequest(
  reader: ParameterReader,
  types: readonly CompanyType[],
  topDefault: number,
): SearchRequest {
  const q = reader.text('q', qLengthMax);
  const website = reader.text('website', websiteLengthMax);
  const fields = reader.text('fields', FIELDS_LENGTH_MAX);
  const top = reader.integer('top', TOP_BOUNDS) ?? topDefault;
  if (q === undefined && website === undefined) {
    throw new ApiError('bad_parameter', 'A search needs q, website, or both.', {
      parameter: 'q',
      allowed: ['q', 'website'],
    });
  }
  return {
    types,
    top,
    ...(q === undefined ? {} : { q }),
    ...(website === undefined ? {} : { website }),
    ...(fields === undefined ? {} : { fields: parseFields(fields) }),
  };
}

function parseFields(text: string): readonly MatchField[] {
  return parseSelect(text, 'fields').items.flatMap(({ name, position }) => {
    if (name === '*') return matchFields;
    const field = matchFields.find((each) => each === name);
    if (field !== undefined) return [field];
    const suggestion = nearest(name, matchFields);
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    throw new QueryError('unknown_field', `A company match has no field of this name.${hint}`, {
      parameter: 'fields',
      position,
      field: name,
      allowed: matchFields,
      suggestion,
    });
  });
}
