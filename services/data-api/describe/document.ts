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
  type RequestBodyObject,
  ref,
  type Schema,
} from '@vcds/openapi';
import type { ErrorCode } from '@vcds/service-kit/api-errors';
import { COVERAGE_PATH, COVERAGE_TEXT, type Coverage } from '../src/coverage/coverage.ts';
import { endpoints } from '../src/endpoints.ts';
import type { Endpoint, EndpointText } from '../src/serve/endpoint.ts';
import { IDEMPOTENCY_KEY } from '../src/serve/once.ts';
import { CREDITS_MAX } from '../src/serve/price.ts';
import type { RequestBody } from '../src/serve/request/body.ts';
import { ROOTS, rootBody } from '../src/serve/root.ts';
import { BODY_SCHEMAS } from './bodies.ts';
import { CLOSED_SCHEMAS, LABEL_SCHEMAS } from './closed-schemas.ts';
import { EDGE_CODES, errorCodesOf, OTHER_CODES } from './error-codes.ts';
import type { Examples } from './files.ts';
import { headerParameter, pathParameter, queryParameter } from './parameters.ts';
import { priceOf } from './price.ts';
import { LABELS, recordSchemas, schemaName } from './record-schemas.ts';

const DESCRIPTION = `Funds, startups, funding rounds, valuations, people, news and a change feed.

Every endpoint but \`POST /companies/match\` is GET. Responses are JSON; lists also CSV. Calls need an API key and cost credits; errors are free. Parameters are read
strictly: an unknown, malformed or out-of-range one is an error and is never ignored. Amounts are whole US dollars.
Unknown values are null.`;

/** @param examples real responses by operationId. */
export function dataApiDocument(examples: ExamplesById = {}): OpenAPIObject {
  return apiDocument({
    title: 'Venture Capital Data API',
    description: DESCRIPTION,
    server: 'https://api.vcds.example/v2',
    tags: TAGS,
    paths: {
      ...Object.fromEntries(
        ROOTS.map(([path, text]) => [path, { servers: HOST, get: rootOperation(text) }]),
      ),
      [COVERAGE_PATH]: { servers: HOST, get: openOperation(COVERAGE_TEXT, COVERAGE) },
      ...Object.fromEntries(
        endpoints.flatMap((row) =>
          row.text
            ? [[row.rate.path, { [methodOf(row)]: operationOf(row, row.text, examples) }]]
            : [],
        ),
      ),
    },
    schemas: { ...recordSchemas(), ...CLOSED_SCHEMAS, ...LABEL_SCHEMAS, ...BODY_SCHEMAS },
    otherErrors: OTHER_CODES,
  });
}

/** The groups of operations, in the order of the documentation. */
const TAGS = [
  { name: 'startups', description: 'Companies and the sources of their facts.' },
  { name: 'funds', description: 'Investors and their portfolios.' },
  { name: 'rounds', description: 'Funding rounds and post-money valuations.' },
  { name: 'persons', description: 'Founders, investors and teams.' },
  { name: 'news', description: 'Articles about startups and funds.' },
  { name: 'search', description: 'Companies by name or website, and tags.' },
  { name: 'categories', description: 'Dimensions, their values, counts, and records by value.' },
  { name: 'signals', description: 'The change feed, and the activity feed for readers.' },
  { name: 'replica', description: 'A copy of the data: changes of records, snapshots.' },
  { name: 'matching', description: 'Investors for companies, companies for investors.' },
  { name: 'service', description: 'Endpoints and prices.' },
] as const;

/** The root is described at its full path. */
const HOST = [{ url: 'https://api.vcds.example' }];

type ExamplesById = Readonly<Record<string, Examples>>;

const methodOf = ({ rate: { method } }: Endpoint) => (method === 'POST' ? 'post' : 'get');

function operationOf(
  endpoint: Endpoint,
  text: EndpointText,
  examples: ExamplesById,
): OperationObject {
  const { path, accepts, resource, rate } = endpoint;
  const { media } = text;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathParameter(name));
  const pages = endpoint.cursor !== undefined;
  const operation = operationFor(text, examples, {
    hasTable: endpoint.table !== undefined,
    schema: media === undefined ? bodyOf(endpoint, text) : ref('QuoteResponse'),
    codes: errorCodesOf(endpoint),
    ofSuccess: [
      ...CREDIT_HEADERS,
      'X-Credits-Max-Price',
      ...(rate.minimum === 0 ? [] : (['Idempotent-Replayed'] as const)),
      ...(pages ? (['Link', 'X-Link-Omitted'] as const) : (text.headers ?? [])),
      ...(endpoint.accepts.some(({ name }) => name === '$filter') ? (['X-Hint'] as const) : []),
      ...(endpoint.table ? (['Content-Disposition'] as const) : []),
      ...(['/signals', '/changes'].includes(endpoint.path) ? (['X-Next-Cursor'] as const) : []),
    ],
  });
  return {
    ...operation,
    description: `${operation.description} ${priceOf(rate)}`,
    parameters: [
      ...inPath,
      ...accepts.map((row) => queryParameter(row, resource)),
      headerParameter(CREDITS_MAX),
      headerParameter(IDEMPOTENCY_KEY),
    ],
    ...(endpoint.body && { requestBody: requestBodyOf(endpoint.body, examples[text.id]) }),
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

function requestBodyOf({ schema }: RequestBody, examples: Examples = {}): RequestBodyObject {
  const rows = Object.entries(examples).map(([name, { sent }]) => [name, { value: sent }]);
  return {
    required: true,
    content: { 'application/json': { schema, examples: Object.fromEntries(rows) } },
  };
}

function rootOperation(text: EndpointText): OperationObject {
  const body = rootBody(endpoints, {
    baseUrl: 'https://api.vcds.example/v2',
    authUrl: 'https://access.vcds.example/api/v1',
  });
  return openOperation({ ...text, body: 'Root' }, body);
}

/** An operation that needs no key, and has no parameters. */
function openOperation(text: EndpointText, body: unknown): OperationObject {
  const examples = { [text.id]: { result: { request: '', body } } };
  const schema = ref(String(text.body));
  const operation = operationFor(text, examples, { schema, codes: EDGE_CODES, ofSuccess: [] });
  return { ...operation, security: NO_SECURITY };
}

const COVERAGE: Coverage = {
  collections: [
    { name: 'startups', records: 300, updatedAt: '2026-01-01T08:00:00.000Z' },
    { name: 'fundingrounds', records: 715, updatedAt: '2026-01-01T08:00:00.000Z' },
  ],
  ...{ newestRound: '2025-12-30', countedAt: '2026-01-01T08:05:00.000Z' },
};

interface Parts {
  readonly schema: Schema;
  readonly codes: readonly ErrorCode[];
  /** Whether the response can be CSV. */
  readonly hasTable?: boolean;
  readonly ofSuccess: readonly HeaderName[];
}

function operationFor(
  { id, tag, summary, description, media }: EndpointText,
  examples: ExamplesById,
  { schema, codes, ofSuccess, hasTable = false }: Parts,
): OperationObject & { readonly description: string } {
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    responses: {
      200: {
        description: 'The result.',
        headers: headers([...COMMON_HEADERS, ...ofSuccess, ...(media ? FILE_HEADERS : [])]),
        content: {
          'application/json': { schema, ...examplesOf(examples[id]) },
          ...(hasTable && { 'text/csv': { schema: { type: 'string' } } }),
          ...fileContent(media),
        },
      },
      ...(media && fileResponses(media, ofSuccess)),
      // Errors of a call with a key report its credits, also where no key is needed.
      ...errorResponses(codes, CREDIT_HEADERS),
    },
  };
}

const FILE_HEADERS = ['ETag', 'Accept-Ranges'] as const;

function fileContent(media: readonly string[] = []): Record<string, MediaTypeObject> {
  const file = { schema: { type: 'string', format: 'binary' } } as const;
  return Object.fromEntries(media.map((type) => [type, file]));
}

/** The responses of a file besides the whole one. */
function fileResponses(media: readonly string[], ofSuccess: readonly HeaderName[]) {
  const own = (...more: readonly HeaderName[]) =>
    headers([...COMMON_HEADERS, ...ofSuccess, ...more]);
  return {
    206: {
      description: 'The part of `Range`.',
      headers: own(...FILE_HEADERS, 'Content-Range'),
      content: fileContent(media),
    },
    302: { description: 'A store has the file.', headers: own('Location') },
    304: { description: 'The client has the file.', headers: own('ETag') },
  };
}

function examplesOf(examples: Examples | undefined): Pick<MediaTypeObject, 'examples'> {
  if (examples === undefined) return {};
  const rows = Object.entries(examples).map(([name, { request, sent, body }]) => [
    name,
    { summary: `${sent === undefined ? 'GET' : 'POST'} {base_url}${request}`, value: body },
  ]);
  return { examples: Object.fromEntries(rows) };
}

function bodyOf(endpoint: Endpoint, text: EndpointText): Schema {
  const isPage = endpoint.accepts.some((row) => row.name === '$count');
  const counts = isPage ? [ref('Count')] : [];
  return { oneOf: [resultOf(endpoint, text, isPage), ...counts, ref('QuoteResponse')] };
}

function resultOf({ resource }: Endpoint, { body = '' }: EndpointText, isPage: boolean): Schema {
  if (resource === undefined) return typeof body === 'string' ? ref(body) : arrayOf(ref(body[0]));
  const name = schemaName(resource);
  const record: Schema = {
    anyOf: [ref(name), ref(`${name}Selection`), ref(`${name}${LABELS}`)],
  };
  return isPage ? arrayOf(record) : record;
}
