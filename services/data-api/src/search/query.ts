import { echo, nearest, parseSelect, QueryError, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { isWebAddress, websiteForms } from '@vcds/venture-model';
import type { ParameterReader } from '../request/parameter-reader.ts';
import {
  type CompanyType,
  MATCH_FIELDS,
  type MatchField,
  Q_LENGTH_MAX,
  SEARCH_TOP_MAX,
  type SearchRequest,
  WEBSITE_LENGTH_MAX,
} from './search-request.ts';

/** Companies by name or website, best first (docs/spec/search.md 7.2). */
export interface SearchPlan {
  readonly kind: 'search';
  readonly request: SearchRequest;
}

/** The parameters of a search and its default `top`, for one type of company or several. */
export const SEARCHES = {
  oneType: { accepts: ['q', 'website', 'top'], top: 10 },
  companies: { accepts: ['q', 'website', 'fields', 'top'], top: 5 },
} as const;

const TOP_BOUNDS = { min: 1, max: SEARCH_TOP_MAX } as const;
const FIELDS_LENGTH_MAX = 1_000;

/**
 * Parses a search by name or website.
 *
 * @throws ApiError `bad_parameter` without `q` and `website`; `unknown_field` in `fields`.
 */
export function parseSearchRequest(
  reader: ParameterReader,
  types: readonly CompanyType[],
  topDefault: number,
): SearchRequest {
  const q = reader.text('q', Q_LENGTH_MAX);
  const website = reader.text('website', WEBSITE_LENGTH_MAX);
  if (website !== undefined) assertWebsite(website, 'website');
  if (q !== undefined && website === undefined && isWebAddress(q)) assertWebsite(q, 'q');
  const fields = reader.text('fields', FIELDS_LENGTH_MAX);
  const top = reader.integer('top', TOP_BOUNDS) ?? topDefault;
  if (q === undefined && website === undefined) {
    throw new ApiError('bad_parameter', 'A search requires q, website, or both.', {
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

// A text without a host cannot match: the call is rejected instead of charged.
function assertWebsite(text: string, parameter: 'q' | 'website'): void {
  if (websiteForms(text)?.host.includes('.') === true) return;
  const isName = parameter === 'website' && /^[\p{L}\p{N}][\p{L}\p{N} .&'-]*$/u.test(text);
  const suggestion = isName ? `q=${text.trim()}` : undefined;
  const message = `'${echo(text)}' is not a website: write a domain or URL, e.g. stripe.com.`;
  throw new ApiError('bad_parameter', withHint(message, suggestion), {
    parameter,
    value: text,
    suggestion,
  });
}

function parseFields(text: string): readonly MatchField[] {
  return parseSelect(text, 'fields').items.flatMap(({ name, position }) => {
    if (name === '*') return MATCH_FIELDS;
    const field = MATCH_FIELDS.find((each) => each === name);
    if (field !== undefined) return [field];
    const suggestion = nearest(name, MATCH_FIELDS);
    const message = withHint(`Unknown field "${echo(name)}" on company match.`, suggestion);
    throw new QueryError('unknown_field', message, {
      parameter: 'fields',
      position,
      field: name,
      allowed: MATCH_FIELDS,
      suggestion,
    });
  });
}
