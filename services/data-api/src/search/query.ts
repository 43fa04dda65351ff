import { BOUNDS, echo, nearest, parseSelect, QueryError, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { isWebAddress, readIdentifier, SCHEME_NAMES, websiteForms } from '@vcds/venture-model';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../serve/request/parameters.ts';
import {
  type CompanyType,
  MATCH_FIELDS,
  type MatchField,
  Q_LENGTH_MAX,
  SEARCH_TOP_MAX,
  type SearchRequest,
  WEBSITE_LENGTH_MAX,
} from './search-request.ts';

const Q: TextParameter = {
  kind: 'text',
  name: 'q',
  lengthMax: Q_LENGTH_MAX,
  description:
    'A name: case, accents, punctuation and legal forms do not matter, and typos are tolerated. Or an identifier ' +
    '(`linkedin:acme`, `lei:…`) or the URL of a site or profile.',
  example: 'stripe',
};
const WEBSITE: TextParameter = {
  kind: 'text',
  name: 'website',
  lengthMax: WEBSITE_LENGTH_MAX,
  description: 'A domain or URL, compared by host. A call needs `q`, `website` or both.',
};
const FIELDS: TextParameter = {
  kind: 'list',
  name: 'fields',
  lengthMax: 1_000,
  itemsMax: BOUNDS.listNames,
  values: [...MATCH_FIELDS, '*'],
  description: 'The members of a match to return; `Id` and `Type` are always included.',
};
const TOP_ONE_TYPE: IntegerParameter = {
  kind: 'integer',
  name: 'top',
  ...{ min: 1, max: SEARCH_TOP_MAX, default: 10 },
  description: 'The most matches to return.',
};
const TOP_COMPANIES: IntegerParameter = { ...TOP_ONE_TYPE, default: 5 };

interface SearchParameters {
  readonly accepts: readonly Parameter[];
  readonly top: IntegerParameter;
}

/** The parameters of a search for one type of company or several. */
export const SEARCHES: Readonly<Record<'oneType' | 'companies', SearchParameters>> = {
  oneType: { accepts: [Q, WEBSITE, TOP_ONE_TYPE], top: TOP_ONE_TYPE },
  companies: { accepts: [Q, WEBSITE, FIELDS, TOP_COMPANIES], top: TOP_COMPANIES },
};

/**
 * Parses a search by name or website.
 *
 * @throws ApiError `bad_parameter` without `q` and `website`; `unknown_field` in `fields`.
 */
export function parseSearchRequest(
  reader: ParameterReader,
  types: readonly CompanyType[],
  topRow: IntegerParameter,
): SearchRequest {
  const q = reader.text(Q);
  const website = reader.text(WEBSITE);
  if (website !== undefined) assertWebsite(website, 'website');
  if (q !== undefined && website === undefined && isWebAddress(q)) assertWebsite(q, 'q');
  if (q !== undefined) assertIdentifier(q);
  const fields = reader.text(FIELDS);
  const top = reader.integer(topRow);
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
  const { identifier } = readIdentifier(text);
  const suggestion = isName || identifier !== undefined ? `q=${text.trim()}` : undefined;
  const message = `'${echo(text)}' is not a website: write a domain or URL, e.g. stripe.com.`;
  throw new ApiError('bad_parameter', withHint(message, suggestion), {
    parameter,
    value: text,
    suggestion,
  });
}

// A scheme with a value that it cannot have, or one that is misspelt, would find companies by chance.
function assertIdentifier(q: string): void {
  const [, scheme = '', value = ''] = /^([a-z_]+):(?!\/\/)(\S+)$/iu.exec(q.trim()) ?? [];
  if (scheme === '') return;
  const { fault } = readIdentifier(q);
  if (fault === undefined) return;
  const isKnown = fault.startsWith('is ');
  const meant = isKnown || scheme.length < MISSPELT_MIN ? undefined : nearest(scheme, SCHEME_NAMES);
  if (!isKnown && meant === undefined) return;
  const suggestion = meant && `q=${meant}:${value}`;
  throw new ApiError('bad_parameter', withHint(`'${echo(q)}' ${fault}.`, suggestion), {
    parameter: 'q',
    value: q,
    suggestion,
  });
}

/** Shorter words with a colon are names: `Re:infra`. */
const MISSPELT_MIN = 5;

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
