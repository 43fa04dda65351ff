import { ApiError, bounded } from './errors.ts';

/** A URL may be this long, in bytes (decisions §3). */
export const URL_BYTES_MAX = 128 * 1024;

/** Any request with a target as it came over the wire: node's own or Express's. */
export interface RequestTarget {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}

/** What a query string says, and what is wrong with it. */
export interface QueryString {
  /** All that can be read; of a parameter given twice, the first. */
  readonly parameters: ReadonlyMap<string, string>;
  /**
   * The first fault, `bad_parameter`: broken percent-encoding or UTF-8, a NUL character (PostgreSQL
   * cannot store one), a parameter given twice.
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
  let fault: ApiError | undefined;
  for (const pair of queryOf(target).split('&')) {
    try {
      readPair(pair, parameters);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fault ??= error;
    }
  }
  return { parameters, fault };
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
      `The URL is ${target.length} bytes long; at most ${URL_BYTES_MAX} are read.`,
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
  return decode(end < 0 ? target : target.slice(0, end), 'path');
}

function readPair(pair: string, parameters: Map<string, string>): void {
  if (pair === '') return;
  const equals = pair.indexOf('=');
  const name = decode(spaced(equals < 0 ? pair : pair.slice(0, equals)), undefined);
  const value = equals < 0 ? '' : decode(spaced(pair.slice(equals + 1)), name);
  if (parameters.has(name)) {
    throw new ApiError('bad_parameter', `The parameter ${quoted(name)} is given twice.`, {
      parameter: name,
    });
  }
  parameters.set(name, value);
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

function decode(raw: string, parameter: string | undefined): string {
  const place = parameter === undefined ? 'A parameter name' : `The value of ${quoted(parameter)}`;
  let text: string;
  try {
    text = decodeURIComponent(raw);
  } catch (error) {
    throw new ApiError(
      'bad_parameter',
      `${place} is not valid percent-encoded UTF-8; a % itself is written %25.`,
      { parameter },
      { cause: error },
    );
  }
  if (text.includes('\0')) {
    throw new ApiError('bad_parameter', `${place} contains a NUL character.`, { parameter });
  }
  return text;
}

function quoted(name: string): string {
  return `'${bounded(name, 60)}'`;
}
