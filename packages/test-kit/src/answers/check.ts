import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import {
  type DescribedOperation,
  type DescribedResponse,
  type Document,
  operationsOf,
} from './description.ts';

/** A response of a service that a test has caused. */
export interface Answer {
  /** The path of the test file. */
  readonly test: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Compares responses with descriptions. */
export interface AnswerChecker {
  /** Names the part of the response that is not described; undefined if all of it is. */
  check(answer: Answer): string | undefined;
  /** The operations, statuses and error codes that no response so far has shown. */
  missing(): readonly string[];
}

/** Those that describe the message, not the response. */
const HTTP_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  // Of a sandbox: docs/spec/sandbox.md.
  'x-sandbox-step',
]);
/** Pages for a person, listeners that are not public, MCP and OData, which describe themselves. */
const NOT_DESCRIBED =
  /^\/(?:account|docs|downloads|icon\.svg|internal|live|mcp|metrics|oauth|odata|ready|v2\/sandbox|\.well-known\/o[\w-]+)(?:\/|$)/;
/** A resource that a test adds to the tables. */
const ADDED_RESOURCE = '/v2/patents';

const ERROR_BODY = (document: string) => ({
  type: 'object',
  required: ['error'],
  properties: { error: { $ref: `${document}#/components/schemas/Error` } },
});

/** Opens a checker of the documents of the services. */
export function openAnswerChecker(documents: readonly Document[]): AnswerChecker {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const keys = new Map(documents.map((document, n) => [document, `document-${n}`]));
  for (const [document, key] of keys) ajv.addSchema(document, key);
  const error = ajv.compile(ERROR_BODY('document-0'));
  const operations = documents.flatMap(operationsOf);
  const shown = new Set<string>();

  function faultOf(operation: DescribedOperation, answer: Answer): string | undefined {
    const response = operation.responses.get(answer.status);
    if (response === undefined) return `status ${answer.status} is not described`;
    const { schemas, headers, codes } = response;
    const code = codeOf(answer);
    if (code !== undefined && !codes.includes(code)) return `code ${code} is not described`;
    return (
      faultOfHeaders(headers, answer) ??
      faultOfParameters(operation, answer) ??
      faultOfBody(operation.document, schemas, answer)
    );
  }

  function faultOfBody(
    document: Document,
    schemas: DescribedResponse['schemas'],
    { headers, body }: Answer,
  ): string | undefined {
    if (body === '') return undefined;
    const [type = ''] = String(headers['content-type']).split(';');
    const pointer = schemas.get(type);
    if (pointer === undefined) return `content type ${type} is not described`;
    const key = `${keys.get(document)}${pointer}`;
    const isValid = ajv.validate(key, type === 'application/json' ? JSON.parse(body) : body);
    return isValid ? undefined : ajv.errorsText(ajv.errors?.slice(0, 3));
  }

  // Of a path or a method that is not described: only an error may be returned.
  function faultOfUndescribed({ method, status, body }: Answer): string | undefined {
    if (method === 'OPTIONS' && status === 204) return undefined;
    if (status < 400) return 'is not described';
    return body === '' || error(JSON.parse(body)) ? undefined : ajv.errorsText(error.errors);
  }

  return {
    check(answer) {
      const path = pathOf(answer);
      // Internal listeners and stand-ins for other companies' services do not set this header.
      const isPublic = answer.headers['x-content-type-options'] !== undefined;
      // Any error of any endpoint can be requested of a sandbox.
      if (answer.headers['x-sandbox-error'] !== undefined) return undefined;
      if (!isPublic || NOT_DESCRIBED.test(path) || path === ADDED_RESOURCE) return undefined;
      // A path of one host is unknown to the other, and both have a root.
      const matching = (method: string) =>
        operations.filter(
          (operation) => codeOf(answer) !== 'unknown_path' && operation.matches(method, path),
        );
      const own = matching(answer.method);
      // HEAD is described by its GET.
      const candidates = own.length === 0 && answer.method === 'HEAD' ? matching('GET') : own;
      const faults =
        candidates.length === 0
          ? [faultOfUndescribed(answer)]
          : candidates.map((operation) => faultOf(operation, answer));
      const right = faults.indexOf(undefined);
      if (right < 0) return `${answer.method} ${path} ${answer.status}: ${faults[0]}`;
      for (const key of shownBy(candidates[right], answer)) shown.add(key);
      return undefined;
    },
    missing: () => [...new Set(operations.flatMap(expectedOf))].filter((key) => !shown.has(key)),
  };
}

function faultOfHeaders(
  described: DescribedResponse['headers'],
  { headers }: Answer,
): string | undefined {
  for (const name of Object.keys(headers)) {
    if (!HTTP_HEADERS.has(name) && !described.has(name)) return `header ${name} is not described`;
  }
  for (const [name, { required = false }] of described) {
    if (required && headers[name] === undefined) return `header ${name} is missing`;
  }
  return undefined;
}

function faultOfParameters({ query }: DescribedOperation, answer: Answer): string | undefined {
  if (answer.status >= 300) return undefined;
  const names = [...new URL(`http://host${answer.url}`).searchParams.keys()];
  const unknown = names.find((name) => name !== 'token' && !query.has(name));
  return unknown && `parameter ${unknown} is not described`;
}

/** The operations with their statuses, and the codes of the document. */
function expectedOf(operation: DescribedOperation): readonly string[] {
  return [...operation.responses].flatMap(([status, { codes }]) => [
    ...(status < 400 ? [`${operation.name} ${status}`] : []),
    ...codes.map((code) => `${operation.document.info.title}: ${code}`),
  ]);
}

function shownBy(operation: DescribedOperation | undefined, answer: Answer): readonly string[] {
  if (operation === undefined) return [];
  const { name, document } = operation;
  return [`${name} ${answer.status}`, `${document.info.title}: ${codeOf(answer)}`];
}

function codeOf({ status, body }: Answer): string | undefined {
  // Of a redirection, an error is the body of one that names the new id of a record.
  const isError = status >= 400 || (status === 301 && body.startsWith('{"error"'));
  return isError && body !== '' ? JSON.parse(body).error.code : undefined;
}

function pathOf({ url }: Answer): string {
  const [path = ''] = url.split('?', 1);
  // A path may end in a slash, also the root.
  return path === '//' ? '/' : path;
}
