import fc from 'fast-check';
import type { DescribedOperation, Parameter } from '../../src/answers/description.ts';
import { RAW } from './naughty.ts';
import { encode, encodedTexts, headerText, jsonOf, naughty } from './values.ts';

/** A request as it is sent; `url` is percent-encoded, `key` is what it has for `API_KEY`. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Stands for a valid API key in the headers of a call. */
export const API_KEY = 'API_KEY';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const MEDIA_TYPES = [
  ...['application/json; charset=utf-8', 'application/json; charset=utf-16', 'text/plain'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json;;', '/'],
];
const BODIES = [
  '',
  '{',
  '[',
  'null',
  '"',
  '{"a":1,}',
  '\ufeff{}',
  '[['.repeat(2_000),
  '{"a":1e400}',
];
/** Headers that the services read, beside those of the descriptions and the credentials. */
const HEADERS = [
  ...['Accept', 'Accept-Language', 'Origin', 'Access-Control-Request-Method', 'X-Request-Id'],
  ...['Traceparent', 'Cookie', 'X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'Range'],
  ...['X-HTTP-Method-Override', 'If-None-Match', 'If-Modified-Since', 'Priority'],
];

const chance = <T>(weights: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...weights.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/**
 * Requests of an operation: each parameter valid, invalid, repeated or left out; sometimes unknown
 * parameters, other methods, credentials, headers and bodies.
 *
 * @param ids of records that exist.
 */
export function callsOf(operation: DescribedOperation, ids: readonly string[]): fc.Arbitrary<Call> {
  const { method, parameters } = operation;
  const names = fieldsOf(parameters);
  const within = (place: string): readonly Parameter[] =>
    parameters.filter((parameter) => parameter.in === place);
  const path = fc
    .tuple(...within('path').map((one) => pathPart(one, ids)))
    .map((parts) =>
      parts.reduce((url, [name, text]) => url.replace(`{${name}}`, () => text), operation.path),
    );
  const known = (isValid: boolean): fc.Arbitrary<readonly string[]> =>
    fc
      .tuple(...within('query').map((one) => queryPairs(one, ids, names, isValid)))
      .map((pairs) => pairs.flat());
  const query = chance<readonly string[]>([
    [9, known(true)],
    [9, known(false)],
    [1, fc.tuple(known(false), unknownPair).map(([pairs, unknown]) => [...pairs, unknown])],
  ]);
  return fc
    .record({
      method: chance([
        [14, fc.constant(method)],
        [1, fc.constantFrom(...METHODS)],
      ]),
      path: chance([
        [30, path],
        [1, fc.tuple(path, fc.constantFrom('/', '//', ...RAW)).map(([a, b]) => `${a}${b}`)],
      ]),
      query,
      headers: headersOf(within('header'), ids),
      body: bodiesOf(operation, ids),
    })
    .map(({ method, path, query, headers, body }) => ({
      ...{ method, body: method === 'TRACE' ? '' : body.text },
      url: latin1(query.length === 0 ? path : `${path}?${query.join('&')}`),
      headers: { ...headers, ...body.headers },
    }));
}

/** The names that its `$orderby` lists. */
function fieldsOf(parameters: readonly Parameter[]): readonly string[] {
  const { schema } = parameters.find(({ name }) => name === '$orderby') ?? {};
  return (schema?.items?.enum ?? ['Id', 'Name']).filter((name) => !name.includes(' '));
}

function pathPart(parameter: Parameter, ids: readonly string[]): fc.Arbitrary<[string, string]> {
  const { valid, invalid } = encodedTexts(parameter, ids, []);
  const text = chance([
    [7, valid],
    [2, invalid],
  ]);
  return text.map((text) => [parameter.name, text]);
}

/** The pairs of a parameter in a query string: mostly one or none. */
function queryPairs(
  parameter: Parameter,
  ids: readonly string[],
  names: readonly string[],
  isValid: boolean,
): fc.Arbitrary<readonly string[]> {
  const { valid, invalid } = encodedTexts(parameter, ids, names);
  const name = encode(parameter.name);
  const one = valid.map((text) => [`${name}=${text}`]);
  if (isValid) {
    return chance<readonly string[]>([
      [5, fc.constant([])],
      [1, one],
    ]);
  }
  return chance<readonly string[]>([
    [24, fc.constant([])],
    [12, one],
    [2, invalid.map((text) => [`${name}=${text}`])],
    [1, fc.constantFrom([name], [`${name}=`], [`${name}=&${name}=`])],
    [1, fc.tuple(valid, valid).map((texts) => texts.map((text) => `${name}=${text}`))],
  ]);
}

const unknownPair = fc
  .tuple(fc.oneof(naughty.map(encode), fc.constantFrom(...RAW)), naughty.map(encode))
  .map(([name, text]) => `${name.slice(0, 3_000)}=${text.slice(0, 3_000)}`);

function headersOf(
  described: readonly Parameter[],
  ids: readonly string[],
): fc.Arbitrary<Readonly<Record<string, string>>> {
  const text = naughty.map(headerText);
  const credentials = chance<Record<string, string>>([
    [20, fc.constant({ 'X-Api-Key': API_KEY })],
    [2, fc.constant({ Authorization: `Bearer ${API_KEY}` })],
    [1, fc.constant({})],
    [1, text.map((text) => ({ 'X-Api-Key': text }))],
    [1, text.map((text) => ({ Authorization: `Bearer ${text}`, 'X-Api-Key': API_KEY }))],
    [1, text.map((text) => ({ Authorization: text }))],
    [1, text.map((text) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` }))],
  ]);
  const known = described.map((parameter) => {
    const { valid, invalid } = encodedTexts(parameter, ids, []);
    const value = chance([
      [3, valid],
      [1, invalid.map(headerText)],
    ]);
    return fc
      .option(value, { freq: 3, nil: undefined })
      .map((text) => ({ [parameter.name]: text }));
  });
  const others = fc.dictionary(fc.constantFrom(...HEADERS), text, { maxKeys: 2 });
  return fc.tuple(credentials, others, ...known).map((parts) => {
    const entries = parts.flatMap((part) => Object.entries(part));
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  });
}

interface Body {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function bodiesOf({ body }: DescribedOperation, ids: readonly string[]): fc.Arbitrary<Body> {
  const none = fc.constant<Body>({ text: '', headers: {} });
  const other = fc.record({
    text: fc.oneof(fc.constantFrom(...BODIES), naughty),
    headers: fc
      .constantFrom('application/json', ...MEDIA_TYPES)
      .map((type) => ({ 'Content-Type': type })),
  });
  if (body === undefined) {
    return chance([
      [15, none],
      [1, other],
    ]);
  }
  const json = jsonOf(body, ids).map((value) => ({
    text: JSON.stringify(value),
    headers: { 'Content-Type': 'application/json' },
  }));
  return chance([
    [8, json],
    [2, other],
    [1, none],
  ]);
}

/** The characters that a client can send in a request line. */
function latin1(url: string): string {
  return url.replaceAll(/[^\x21-\xff]/g, (character) => encode(character));
}
