import { QueryError } from '@vcds/odata-query';
import { ApiError, seeUrl } from '@vcds/service-kit/api-errors';

/** A longer value is no name to search for. */
const SEARCHED_LENGTH_MAX = 80;
const VALUE = '{value}';

/**
 * The answer to anything thrown on the way: a query's refusal becomes a 400 of its code, and a
 * path of the service to see becomes a URL, the value at fault filled in.
 */
export function asRefusal(thrown: unknown, baseUrl: string): unknown {
  const error = thrown instanceof QueryError ? asApiError(thrown) : thrown;
  if (!(error instanceof ApiError) || error.details.see?.startsWith('/') !== true) return error;
  const { see, value } = error.details;
  const details = { ...error.details, see: seeOf(baseUrl, see, String(value ?? '').trim()) };
  return new ApiError(error.code, error.message, details, { cause: error.cause ?? error });
}

function asApiError(refused: QueryError): ApiError {
  const { code, message, parameter, field, position, value, allowed, suggestion, see } = refused;
  const details = { parameter, field, position, value, allowed, suggestion, see };
  return new ApiError(code, message, details, { cause: refused });
}

// Without a value there is nothing to search for: the collection that is searched. The value is put
// into a parameter after the path has been taken apart, because it may hold `&`, `?` or `=`.
function seeOf(baseUrl: string, see: string, value: string): string {
  const [path = '', query] = see.split(/\?(.*)/s, 2);
  if (query === undefined) return seeUrl(baseUrl, path);
  const isSearched = /[\p{L}\p{N}]/u.test(value) && value.length <= SEARCHED_LENGTH_MAX;
  if (see.includes(VALUE) && !isSearched) return seeUrl(baseUrl, path.replace(/\/search$/, ''));
  const pairs = query.split('&').map((pair): [string, string] => {
    const [name = '', written = ''] = pair.split(/=(.*)/s, 2);
    const text = written.includes("'") ? value.replaceAll("'", "''") : value;
    return [name, written.replace(VALUE, () => text)];
  });
  return seeUrl(baseUrl, path, pairs);
}
