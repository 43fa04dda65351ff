/** The OpenAPI description of the data API. */
import {
  apiDocument,
  arrayOf,
  COMMON_HEADERS,
  CREDIT_HEADERS,
  errorResponses,
  type HeaderName,
  headers,
  KEY_SECURITY,
  type MediaTypeObject,
  NO_SECURITY,
  type OpenAPIObject,
  type OperationObject,
  ref,
  type Schema,
} from '@vcds/openapi';
import type { ErrorCode } from '@vcds/service-kit/api-errors';
import { endpoints } from '../src/endpoints.ts';
import type { Endpoint } from '../src/serve/endpoint.ts';
import { CREDITS_MAX } from '../src/serve/price.ts';
import { ROOT_PATHS, rootBody } from '../src/serve/root.ts';
import { BODY_BY_PATH, BODY_SCHEMAS } from './bodies.ts';
import { CLOSED_SCHEMAS } from './closed-schemas.ts';
import { EDGE_CODES, errorCodesOf, OTHER_CODES } from './error-codes.ts';
import type { Examples } from './files.ts';
import { OPERATIONS, TAGS } from './operations.ts';
import { headerParameter, pathParameter, queryParameter } from './parameters.ts';
import { priceOf } from './price.ts';
import { recordSchemas, schemaName } from './record-schemas.ts';

const DESCRIPTION = `Funds, startups, funding rounds, valuations, people, news and a change feed.

Every endpoint is GET and returns JSON. Calls need an API key and cost credits; errors are free. Parameters are read
strictly: an unknown, malformed or out-of-range one is an error and is never ignored. Amounts are whole US dollars.
Unknown values are null.`;

/** @param examples real responses by operationId. */
export function dataApiDocument(examples: ExamplesById = {}): OpenAPIObject {
  const listed = endpoints.filter((endpoint) => endpoint.listed !== false);
  return apiDocument({
    title: 'Venture Capital Data API',
    description: DESCRIPTION,
    server: 'https://api.vcds.example/v2',
    tags: TAGS,
    paths: {
      ...Object.fromEntries(
        ROOT_PATHS.map((path) => [path, { servers: HOST, get: rootOperation(path) }]),
      ),
      ...Object.fromEntries(
        listed.map((endpoint) => [endpoint.rate.path, { get: operationOf(endpoint, examples) }]),
      ),
    },
    schemas: { ...recordSchemas(), ...CLOSED_SCHEMAS, ...BODY_SCHEMAS },
    otherErrors: OTHER_CODES,
  });
}

/** Headers of a 200 by path. */
const HEADERS_BY_PATH: Readonly<Record<string, readonly HeaderName[]>> = {
  '/find': ['Age'],
  '/venturematching': ['X-Model-Version'],
};

/** The root is described at its full path. */
const HOST = [{ url: 'https://api.vcds.example' }];

type ExamplesById = Readonly<Record<string, Examples>>;

function operationOf(endpoint: Endpoint, examples: ExamplesById): OperationObject {
  const { path, accepts, resource, rate } = endpoint;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathParameter(name));
  const pages = endpoint.accepts.some(({ name }) => name === '$skip');
  const operation = operationFor(rate.path, examples, {
    schema: bodyOf(endpoint),
    codes: errorCodesOf(endpoint),
    ofSuccess: [
      ...CREDIT_HEADERS,
      ...(pages ? (['Link', 'X-Link-Omitted'] as const) : (HEADERS_BY_PATH[path] ?? [])),
      ...(endpoint.accepts.some(({ name }) => name === '$filter') ? (['X-Hint'] as const) : []),
    ],
  });
  return {
    ...operation,
    description: `${operation.description} ${priceOf(rate)}`,
    parameters: [
      ...inPath,
      ...accepts.map((row) => queryParameter(row, resource)),
      headerParameter(CREDITS_MAX),
    ],
    security: KEY_SECURITY,
    'x-price': {
      base: rate.base,
      perRecord: rate.perRecordQuarters / 4,
      expands: [...rate.expands],
      minimum: rate.minimum,
    },
    ...(rate.scope !== null && { 'x-scope': rate.scope }),
  };
}

function rootOperation(path: (typeof ROOT_PATHS)[number]): OperationObject {
  const { id } = OPERATIONS.get(path) ?? { id: '' };
  const body = rootBody(endpoints, {
    baseUrl: 'https://api.vcds.example/v2',
    authUrl: 'https://access.vcds.example/api/v1',
  });
  const examples = { [id]: { result: { request: '', body } } };
  const parts = { schema: ref('Root'), codes: EDGE_CODES, ofSuccess: [] };
  const operation = operationFor(path, examples, parts);
  return { ...operation, security: NO_SECURITY };
}

interface Parts {
  readonly schema: Schema;
  readonly codes: readonly ErrorCode[];
  readonly ofSuccess: readonly HeaderName[];
}

function operationFor(
  path: string,
  examples: ExamplesById,
  { schema, codes, ofSuccess }: Parts,
): OperationObject & { readonly description: string } {
  const text = OPERATIONS.get(path);
  if (text === undefined) throw new TypeError(`${path} has no description.`);
  const { id, tag, summary, description } = text;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    responses: {
      200: {
        description: 'The result.',
        headers: headers([...COMMON_HEADERS, ...ofSuccess]),
        content: {
          'application/json': { schema, ...examplesOf(examples[id]) },
        },
      },
      // Errors of a call with a key report its credits, also where no key is needed.
      ...errorResponses(codes, CREDIT_HEADERS),
    },
  };
}

function examplesOf(examples: Examples | undefined): Pick<MediaTypeObject, 'examples'> {
  if (examples === undefined) return {};
  const rows = Object.entries(examples).map(([name, { request, body }]) => [
    name,
    { summary: `GET {base_url}${request}`, value: body },
  ]);
  return { examples: Object.fromEntries(rows) };
}

function bodyOf(endpoint: Endpoint): Schema {
  const isPage = endpoint.accepts.some((row) => row.name === '$count');
  const counts = isPage ? [ref('Count')] : [];
  return { oneOf: [resultOf(endpoint, isPage), ...counts, ref('QuoteResponse')] };
}

function resultOf({ resource, rate }: Endpoint, isPage: boolean): Schema {
  if (resource === undefined) return BODY_BY_PATH[rate.path] ?? {};
  const name = schemaName(resource);
  const record: Schema = { anyOf: [ref(name), ref(`${name}Selection`)] };
  return isPage ? arrayOf(record) : record;
}
