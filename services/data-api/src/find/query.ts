import { ApiError, type ErrorCode } from '@vcds/service-kit/api-errors';
import { Q_LENGTH_MAX, WEBSITE_LENGTH_MAX } from '../search/search-request.ts';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { Parameter, TextParameter } from '../serve/request/parameters.ts';

/** Reads the own site of a company (docs/spec/find.md 20.1), by its website or its name. */
export type FindPlan = { readonly website: string } | { readonly q: string };

const WEBSITE: TextParameter = {
  kind: 'text',
  name: 'website',
  lengthMax: WEBSITE_LENGTH_MAX,
  description: 'The site: a domain or an http or https URL. Not with `q`.',
  example: 'stripe.com',
};
const Q: TextParameter = {
  kind: 'text',
  name: 'q',
  lengthMax: Q_LENGTH_MAX,
  description: 'The name of a company in our records that has a website. Not with `website`.',
  example: 'stripe',
};
/** Errors that other calls do not have. */
export const FIND_ERRORS = [
  ...(['address_not_public', 'not_found', 'site_unreachable', 'site_timeout'] as const),
  ...(['site_refused', 'site_too_large', 'site_empty', 'not_html'] as const),
] satisfies ErrorCode[];
export const FIND_PARAMETERS: readonly Parameter[] = [WEBSITE, Q];

/** @throws ApiError `bad_parameter` without `website` and `q`, and with both. */
export function parseFind(reader: ParameterReader): FindPlan {
  const website = reader.text(WEBSITE);
  const q = reader.text(Q);
  if (website !== undefined && q === undefined) return { website };
  if (q !== undefined && website === undefined) return { q };
  const given = q === undefined ? 'requires' : 'takes only one of';
  throw new ApiError('bad_parameter', `This call ${given} website ${q ? 'and' : 'or'} q.`, {
    parameter: 'website',
    allowed: ['website', 'q'],
  });
}
