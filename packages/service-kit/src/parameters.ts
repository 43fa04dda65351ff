import { ApiError, bounded } from './errors.ts';

/** A URL may be this long, in bytes (decisions §3). */
export const URL_BYTES_MAX = 128 * 1024;
/** A query string may hold this many parameters; none beyond them is read. */
export const PARAMETERS_MAX = 100;

/** Any request with a target as it came over the wire: node's own or Express's. */
export interface RequestTarget {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}

/** What a query string says, and what is wrong with it. */
export interface QueryString {
  /** Those of the first 100 that can be read; of a parameter given twice, the first. */
  readonly parameters: ReadonlyMap<string, string>;
  /**
   * The first fault, `bad_parameter`: more than 100 parameters, broken percent-encoding or UTF-8, a
   * NUL character (PostgreSQL cannot store one), a parameter given twice.
   */
  readonly fault: ApiError | undefined;
}

/**
 * Reads the query string of a request, raw as it came. Names are case-sensitive and come
 * percent-decoded (`%24filter` is `$filter`); `+` is a space.
 *
 * @throws ApiError `url_too_long` above 128 KiB.
 */
export function readQueryString(request: RequestTarget): QueryString {
  const target = request.originalUrl ?? request.url ?? '';
  assertUrlLength(target);
  const parameters = new Map<string, string>();
  const pairs = queryOf(target).split('&', PARAMETERS_MAX + 1);
  let fault = pairs.length > PARAMETERS_MAX ? TOO_MANY : undefined;
  for (const pair of pairs.slice(0, PARAMETERS_MAX)) {
    const found = readPair(pair, parameters);
    fault ??= found;
  }
  return { parameters, fault: fault === undefined ? undefined : refusalOf(fault) };
}

/**
 * The query parameters of a request that has no fault, as {@link readQueryString} reads them.
 *
 * @throws ApiError the fault it has; `url_too_long` above 128 KiB.
 */
export function readParameters(request: RequestTarget): ReadonlyMap<string, string> {
  const { parameters, fault } = readQueryString(request);
  if (fault !== undefined) throw fault;
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
 * @throws ApiError `bad_parameter` for broken percent-encoding or a NUL character.
 */
export function readPath(target: string): string {
  const end = target.search(/[?#]/);
  const path = decoded(end < 0 ? target : target.slice(0, end));
  if (typeof path === 'string') return path;
  throw refusalOf({ ...path, parameter: 'path' });
}

/** What is wrong with a pair; an error with its stack is made of one of them at most. */
interface Fault {
  readonly kind: 'encoding' | 'nul' | 'twice' | 'too many';
  /** Undefined where the fault is in the name itself. */
  readonly parameter?: string;
}

const TOO_MANY: Fault = { kind: 'too many' };

function readPair(pair: string, parameters: Map<string, string>): Fault | undefined {
  if (pair === '') return undefined;
  const equals = pair.indexOf('=');
  const name = decoded(spaced(equals < 0 ? pair : pair.slice(0, equals)));
  if (typeof name !== 'string') return name;
  const value = equals < 0 ? '' : decoded(spaced(pair.slice(equals + 1)));
  if (typeof value !== 'string') return { ...value, parameter: name };
  if (parameters.has(name)) return { kind: 'twice', parameter: name };
  parameters.set(name, value);
  return undefined;
}

function queryOf(target: string): string {
  const start = target.indexOf('?');
  if (start < 0) return '';
  const hash = target.indexOf('#', start);
  return target.slice(start + 1, hash < 0 ? undefined : hash);
}

function spaced(raw: string): string {
  return raw.replaceAll('+', ' ');
}

function decoded(raw: string): string | Fault {
  try {
    const text = decodeURIComponent(raw);
    return text.includes('\0') ? { kind: 'nul' } : text;
  } catch {
    return { kind: 'encoding' };
  }
}

function refusalOf({ kind, parameter }: Fault): ApiError {
  return new ApiError('bad_parameter', messageOf(kind, parameter), { parameter });
}

function messageOf(kind: Fault['kind'], parameter: string | undefined): string {
  const place = parameter === undefined ? 'A parameter name' : `The value of ${quoted(parameter)}`;
  switch (kind) {
    case 'encoding':
      return `${place} is not valid percent-encoded UTF-8; write % as %25.`;
    case 'nul':
      return `${place} contains a NUL character.`;
    case 'twice':
      return `Duplicate parameter ${quoted(parameter ?? '')}.`;
    case 'too many':
      return `The query string can have at most ${PARAMETERS_MAX} parameters.`;
  }
}

function quoted(name: string): string {
  return `'${bounded(name, 60)}'`;
}
