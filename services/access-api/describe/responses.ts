/** The responses of operations. */
import {
  COMMON_HEADERS,
  errorResponses,
  type HeaderName,
  headers,
  type ResponseObject,
  type ResponsesObject,
  type Schema,
  TEXT,
} from '@vcds/openapi';
import type { ErrorCode } from '@vcds/service-kit';
import { ERROR_EXAMPLES, type ErrorExample } from './examples.ts';

/** Errors of every endpoint. */
const SHARED: readonly ErrorCode[] = [
  ...(['https_required', 'url_too_long', 'headers_too_large'] as const),
  ...(['too_many_requests', 'internal_error', 'unavailable'] as const),
];

/** A response with a body, and its examples by name. */
export function ok(
  description: string,
  schema: Schema,
  examples: Readonly<Record<string, unknown>> = {},
  extra: readonly HeaderName[] = [],
  type = 'application/json',
): ResponseObject {
  return {
    description,
    headers: headers([...COMMON_HEADERS, ...extra]),
    content: { [type]: { schema, ...examplesOf(Object.entries(examples)) } },
  };
}

/** The response to a client that has the file. */
export const NOT_MODIFIED: ResponseObject = {
  description: 'The client has the file: it sent its `ETag`.',
  headers: headers([...COMMON_HEADERS, 'ETag']),
};

/** The response of the root to a browser. */
export const REDIRECTION: ResponseObject = {
  description: 'A browser is redirected to the account area.',
  headers: {
    ...headers(COMMON_HEADERS),
    Location: { description: 'The account area.', required: true, schema: TEXT },
  },
  content: { 'text/html': { schema: TEXT } },
};

/** The errors of an operation by status: its own codes, with examples, and those of every endpoint. */
export function errors(
  codes: readonly ErrorCode[],
  names: readonly ErrorExample[],
  extra: readonly HeaderName[],
): ResponsesObject {
  const own = Object.entries(errorResponses(codes, extra)).map(([status, response]) => {
    const bodies = names
      .map((name) => [name, ERROR_EXAMPLES[name]] as const)
      .filter(([, { error }]) => String(error.status) === status);
    const { content: { 'application/json': json } = {} } = response as ResponseObject;
    const content = { 'application/json': { ...json, ...examplesOf(bodies) } };
    return [status, { ...response, content }];
  });
  return { ...errorResponses(SHARED), ...Object.fromEntries(own) };
}

/** The responses to HEAD. */
export function withoutBodies(responses: ResponsesObject): ResponsesObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content: _, ...response }]) => [status, response]),
  );
}

function examplesOf(bodies: readonly (readonly [string, unknown])[]) {
  if (bodies.length === 0) return {};
  return { examples: Object.fromEntries(bodies.map(([name, value]) => [name, { value }])) };
}
