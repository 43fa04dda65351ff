/** The OpenAPI description of the access API, from the tables that serve it. */
import { JWKS_PATH } from '@vcds/credentials';
import {
  apiDocument,
  CREDIT_HEADERS,
  type HeaderName,
  KEY_SECURITY,
  type OpenAPIObject,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type PathsObject,
  ref,
  type SchemaObject,
  TEXT,
} from '@vcds/openapi';
import { ASSETS, PLACEHOLDER_URLS } from '@vcds/portal';
import { ACCESS_BASE_PATH, type ErrorCode } from '@vcds/service-kit';
import { USAGE_ENDPOINT } from '../src/credits/usage-route.ts';
import { type AccessEndpoint, accessUrl } from '../src/keys/endpoints.ts';
import { EXCHANGE_ENDPOINT } from '../src/legacy/open-legacy.ts';
import { exampleBody } from '../src/pages/root-listing.ts';
import { REGISTRATION_ENDPOINTS } from '../src/registration/endpoints.ts';
import { ASSET_PATHS } from '../src/site/load-site.ts';
import {
  type ErrorExample,
  KEY_SET_EXAMPLE,
  REGISTER_EXAMPLES,
  ROOT_EXAMPLE,
  STATUS_EXAMPLE,
  TOKEN_EXAMPLE,
  USAGE_EXAMPLE,
  VERIFY_EXAMPLE,
} from './examples.ts';
import { errors, NOT_MODIFIED, ok, REDIRECTION, withoutBodies } from './responses.ts';
import { fieldSchema, SCHEMAS } from './schemas.ts';

const DESCRIPTION = `Issues API keys for the data API, and reports balances.

To get a key: \`POST /auth/register\` with the email address of a person, ask the person for the
code in the message, and \`POST /auth/verify\`. The person can open the link in the message instead
and create a key in the account area, \`/account\`, which is for people: pages that list the keys
and the usage of an account, create, narrow and revoke keys.

Every endpoint accepts the parameter \`token\`. All texts are UTF-8. Errors have one body.`;

const TAGS = [
  { name: 'Registration', description: 'From an email address to a key.' },
  { name: 'Credits', description: 'The balance of an account.' },
  { name: 'Legacy tokens', description: 'The older exchange of credentials for a token.' },
  { name: 'Descriptions', description: 'What describes both APIs, for programs and assistants.' },
] as const;

const HOST = [{ url: PLACEHOLDER_URLS.accessPublicUrl }];
const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the copy that the client has.',
  schema: TEXT,
};
const FILE_SUMMARIES: Readonly<Record<string, string>> = {
  [ASSETS.dataApi]: 'The OpenAPI description of the data API.',
  [ASSETS.accessApi]: 'This description.',
  [ASSETS.postman]: 'The data API as a collection of Postman.',
  [ASSETS.llms]: 'An overview for assistants.',
  [ASSETS.llmsFull]: 'Everything that an assistant needs to call the data API.',
  [ASSETS.server]: 'The entry of the MCP server in the MCP registry.',
  [ASSETS.auth]: 'How a program gets access for a person.',
  [ASSETS.skill]: 'A skill for agents.',
};
const JSON_SCHEMAS: Readonly<Record<string, string>> = {
  [ASSETS.postman]: 'PostmanCollection',
  [ASSETS.server]: 'McpRegistryEntry',
};
const QUERY_ERRORS = ['unknown_parameter', 'bad_parameter', 'bad_request'] as const;
/** Errors of requests that are none of an operation; paths that are disabled or not built are unknown. */
const OTHER_ERRORS: readonly ErrorCode[] = [
  ...(['unknown_path', 'method_not_allowed', 'request_timeout', 'headers_too_large'] as const),
];
const BODY_ERRORS = ['bad_json', 'body_too_large', 'unsupported_media_type'] as const;

/** The document, with placeholders as its addresses. */
export function accessApiDocument(): OpenAPIObject {
  const document = apiDocument({
    title: 'Venture Capital Access API',
    description: DESCRIPTION,
    server: accessUrl(PLACEHOLDER_URLS),
    tags: TAGS,
    paths: pathItems(),
    schemas: SCHEMAS,
    otherErrors: OTHER_ERRORS,
  });
  const basic = {
    type: 'http',
    scheme: 'basic',
    description: 'A key as the user name, without a password, or user name and password.',
  } as const;
  const { components = {} } = document;
  const securitySchemes = { ...components.securitySchemes, basic };
  return { ...document, components: { ...components, securitySchemes } };
}

function pathItems(): PathsObject {
  const { register, verify, status } = REGISTRATION_ENDPOINTS;
  const list = { root: ROOT_EXAMPLE };
  return {
    ...item(register, REGISTER_EXAMPLES, [
      'email_required',
      'malformed_email',
      'unknown_parameter',
    ]),
    ...item(verify, { issued: VERIFY_EXAMPLE }, [
      ...(['missing_fields', 'malformed_code', 'wrong_code', 'invalid_or_expired'] as const),
      ...(['too_many_keys', 'too_many_attempts', 'network_limit'] as const),
    ]),
    ...item(status, { open: STATUS_EXAMPLE }, ['missing_request_id']),
    ...item(USAGE_ENDPOINT, { free: USAGE_EXAMPLE }, ['missing_key']),
    ...item(EXCHANGE_ENDPOINT, { token: TOKEN_EXAMPLE }),
    ...item(KEY_SET, { keys: KEY_SET_EXAMPLE }),
    ...item(ROOT, list),
    ...item(ROOT_OF_HOST, list, [], { responses: { 303: REDIRECTION } }),
    ...Object.fromEntries(
      Object.entries(ASSET_PATHS).flatMap(([path, name]) => Object.entries(fileItem(path, name))),
    ),
  };
}

const KEY_SET = described(JWKS_PATH, {
  summary: 'The public keys of tokens.',
  tag: 'Legacy tokens',
  operations: { GET: 'keySet' },
  response: { status: 200, text: 'The keys.', schema: 'KeySet' },
});
const ROOT = described(ACCESS_BASE_PATH, {
  summary: 'Lists the endpoints.',
  operations: { GET: 'root' },
  response: { status: 200, text: 'The list.', schema: 'Root' },
});
const ROOT_OF_HOST = described('/', {
  ...ROOT,
  summary: 'The same list; a browser is redirected.',
  operations: { GET: 'rootOfHost' },
});

/** A path that describes the service: without fields, limits and errors of its own. */
function described(
  path: string,
  row: Pick<AccessEndpoint, 'summary' | 'operations' | 'response'> & Partial<AccessEndpoint>,
): AccessEndpoint {
  const bare = { methods: ['GET'], fields: {}, requires: [[]], limits: [], errors: [] } as const;
  return { tag: 'Descriptions', ...row, ...bare, path };
}

/** Parts of an item that no row has. */
interface Extra {
  readonly responses?: OperationObject['responses'];
  readonly parameters?: readonly ParameterObject[];
  /** Of the response that is no error. */
  readonly headers?: readonly HeaderName[];
  readonly type?: string;
}

/** A path of the document; one that is not below {auth_url} names the host as its server. */
function item(
  endpoint: AccessEndpoint,
  examples: Readonly<Record<string, unknown>>,
  errorExamples: readonly ErrorExample[] = [],
  extra: Extra = {},
): PathsObject {
  const isBelow = endpoint.path.startsWith(`${ACCESS_BASE_PATH}/`);
  const path = isBelow ? endpoint.path.slice(ACCESS_BASE_PATH.length) : endpoint.path;
  const operations = Object.entries(endpoint.operations).map(([method, operationId]) => [
    method.toLowerCase(),
    {
      ...{ operationId, tags: [endpoint.tag] },
      ...operationOf(endpoint, method, examples, errorExamples, extra),
    },
  ]);
  const found: PathItemObject = Object.fromEntries(operations);
  return { [path]: isBelow ? found : { servers: HOST, ...found } };
}

const SECURITY = { key: KEY_SECURITY, basic: [{ basic: [] }], none: [] } as const;

function operationOf(
  endpoint: AccessEndpoint,
  method: string,
  examples: Readonly<Record<string, unknown>>,
  errorExamples: readonly ErrorExample[],
  { responses = {}, parameters = [], headers = [], type = 'application/json' }: Extra,
) {
  const { summary, limits, fields, credentials = 'none', response } = endpoint;
  const hasBody = method === 'POST' && Object.keys(fields).length > 0;
  const own = [...QUERY_ERRORS, ...endpoint.errors, ...(hasBody ? BODY_ERRORS : [])];
  // After the key is checked, every response has the balance.
  const balance = credentials === 'key' ? CREDIT_HEADERS : [];
  const schema = response.schema === 'Text' ? TEXT : ref(response.schema);
  const good = ok(response.text, schema, examples, [...balance, ...headers], type);
  const all = {
    ...{ [response.status]: good, ...responses },
    ...errors(own, errorExamples, balance),
  };
  return {
    summary,
    ...(limits.length > 0 && { description: limits.map((limit) => `- ${limit}`).join('\n') }),
    parameters: [...(hasBody ? [] : queryOf(endpoint)), ...parameters],
    ...(hasBody && { requestBody: bodyOf(endpoint) }),
    security: SECURITY[credentials],
    responses: method === 'HEAD' ? withoutBodies(all) : all,
  };
}

function queryOf({ fields, requires }: AccessEndpoint): ParameterObject[] {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    in: 'query',
    required: requires.every((set) => set.includes(name)),
    description: field.description,
    schema: fieldSchema(field),
    example: field.example,
  }));
}

function bodyOf({ fields, requires }: AccessEndpoint) {
  const [first = [], ...others] = requires;
  const properties = Object.entries(fields).map(([name, field]): [string, SchemaObject] => [
    name,
    { ...fieldSchema(field), description: field.description },
  ]);
  const required =
    others.length === 0
      ? { required: [...first] }
      : { anyOf: requires.map((set) => ({ required: [...set] })) };
  const schema: SchemaObject = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...required,
  };
  const example = exampleBody(fields, first);
  return { required: true, content: { 'application/json': { schema, example } } };
}

function fileItem(path: string, name: string): PathsObject {
  const isJson = name.endsWith('.json');
  const json = JSON_SCHEMAS[name] ?? 'Description';
  const id = name.replace(/\W(\w)/g, (_, letter: string) => letter.toUpperCase());
  const file = described(path, {
    summary: FILE_SUMMARIES[name] ?? name,
    operations: { GET: id, HEAD: `${id}Head` },
    response: { status: 200, text: 'The file.', schema: isJson ? json : 'Text' },
  });
  const text = name.endsWith('.md') ? 'text/markdown' : 'text/plain';
  const type = isJson ? 'application/json' : text;
  const extra = { responses: { 304: NOT_MODIFIED }, parameters: [IF_NONE_MATCH], type };
  return item(file, {}, [], { ...extra, headers: ['ETag'] });
}
