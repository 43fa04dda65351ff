import { ApiError, bounded } from './errors.ts';
import { assertTarget } from './request-target.ts';

/** Maximum length of a URL, in bytes (docs/spec/limits.md 12.3). */
export const URL_BYTES_MAX = 128 * 1024;
/** Maximum number of parameters in a query string; further ones are not read. */
const PARAMETERS_MAX = 100;

/** A request of Node or Express, with its target as sent. */
export interface RequestTarget {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}

/** The parameters of a query string, and its first error. */
export interface QueryString {
  /** The valid ones of the first 100; the first value of a duplicate parameter. */
  readonly parameters: ReadonlyMap<string, string>;
  /**
   * The first error, `bad_parameter`: more than 100 parameters, invalid percent-encoding or UTF-8,
   * a NUL character (PostgreSQL cannot store one), a duplicate parameter.
   */
  readonly error: ApiError | undefined;
}

/**
 * Reads the query string of a request. Names are case-sensitive and percent-decoded (`%24filter` is
 * `$filter`); `+` is a space. Names and values are composed to NFC, as stored texts are.
 *
 * @throws ApiError `url_too_long` above 128 KiB.
 */
export function readQueryString(request: RequestTarget): QueryString {
  const target = request.originalUrl ?? request.url ?? '';
  assertUrlLength(target);
  const parameters = new Map<string, string>();
  const pairs = queryOf(target).split('&', PARAMETERS_MAX + 1);
  let problem = pairs.length > PARAMETERS_MAX ? TOO_MANY : undefined;
  for (const pair of pairs.slice(0, PARAMETERS_MAX)) {
    const found = readPair(pair, parameters);
    problem ??= found;
  }
  return { parameters, error: problem === undefined ? undefined : errorOf(problem) };
}

/**
 * The query parameters of a request, as {@link readQueryString} reads them.
 *
 * @throws ApiError the error of the query string; `url_too_long` above 128 KiB.
 */
export function readParameters(request: RequestTarget): ReadonlyMap<string, string> {
  const { parameters, error } = readQueryString(request);
  if (error !== undefined) throw error;
  return parameters;
}

/** @throws ApiError `url_too_long` for a request target above 128 KiB. */
export function assertUrlLength(target: string): void {
  if (target.length > URL_BYTES_MAX) {
    throw new ApiError(
      'url_too_long',
      `The URL is ${target.length} bytes long; the limit is ${URL_BYTES_MAX}.`,
    );
  }
}

/**
 * The path of a request target, percent-decoded as a whole.
 *
 * @throws ApiError `bad_request` for a target without a path; `bad_parameter` for invalid
 *   percent-encoding or a NUL character.
 */
export function readPath(target: string): string {
  assertTarget(target);
  const end = target.search(/[?#]/);
  const path = decoded(end < 0 ? target : target.slice(0, end));
  if (typeof path === 'string') return path;
  throw errorOf({ ...path, parameter: 'path' });
}

/** An error without a stack, which is costly: at most one is turned into an ApiError. */
interface Problem {
  readonly kind: 'encoding' | 'nul' | 'duplicate' | 'too many';
  /** Undefined if the error is in the name itself. */
  readonly parameter?: string;
}

const TOO_MANY: Problem = { kind: 'too many' };

function readPair(pair: string, parameters: Map<string, string>): Problem | undefined {
  if (pair === '') return undefined;
  const equals = pair.indexOf('=');
  const name = decoded(spaced(equals < 0 ? pair : pair.slice(0, equals)));
  if (typeof name !== 'string') return name;
  const value = equals < 0 ? '' : decoded(spaced(pair.slice(equals + 1)));
  if (typeof value !== 'string') return { ...value, parameter: name };
  if (parameters.has(name)) return { kind: 'duplicate', parameter: name };
  parameters.set(name, value);
  return undefined;
}

function queryOf(target: string): string {
  const hash = target.indexOf('#');
  const end = hash < 0 ? target.length : hash;
  const start = target.indexOf('?');
  return start < 0 || start > end ? '' : target.slice(start + 1, end);
}

function spaced(raw: string): string {
  return raw.replaceAll('+', ' ');
}

function decoded(raw: string): string | Problem {
  try {
    const text = decodeURIComponent(raw).normalize('NFC');
    return text.includes('\0') ? { kind: 'nul' } : text;
  } catch {
    return { kind: 'encoding' };
  }
}

function errorOf({ kind, parameter }: Problem): ApiError {
  return new ApiError('bad_parameter', messageOf(kind, parameter), { parameter });
}

function messageOf(kind: Problem['kind'], parameter: string | undefined): string {
  const subject =
    parameter === undefined ? 'A parameter name' : `The value of ${quoted(parameter)}`;
  switch (kind) {
    case 'encoding':
      return `${subject} is not valid percent-encoded UTF-8; write % as %25.`;
    case 'nul':
      return `${subject} contains a NUL character.`;
    case 'duplicate':
      return `Duplicate parameter ${quoted(parameter ?? '')}.`;
    case 'too many':
      return `The query string can have at most ${PARAMETERS_MAX} parameters.`;
  }
}

function quoted(name: string): string {
  return `'${bounded(name, 60)}'`;
}
