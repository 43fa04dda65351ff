import { QueryError } from '@vcds/odata-query';
import { ApiError, seeUrl } from '@vcds/service-kit/refusals';

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
  const details = { ...error.details, see: absolute(baseUrl, filledIn(see, value)) };
  return new ApiError(error.code, error.message, details, { cause: error.cause ?? error });
}

function asApiError(refused: QueryError): ApiError {
  const { code, message, parameter, field, position, value, allowed, suggestion, see } = refused;
  const details = { parameter, field, position, value, allowed, suggestion, see };
  return new ApiError(code, message, details, { cause: refused });
}

// Without a value there is nothing to search for: the collection that is searched.
function filledIn(see: string, value: unknown): string {
  if (!see.includes(VALUE)) return see;
  const text = String(value ?? '').trim();
  if (!/[\p{L}\p{N}]/u.test(text) || text.length > SEARCHED_LENGTH_MAX) {
    const [path = ''] = see.split('?', 1);
    return path.replace(/\/search$/, '');
  }
  return see.replace(VALUE, see.includes("'") ? text.replaceAll("'", "''") : text);
}

function absolute(baseUrl: string, path: string): string {
  const [pathname = ''] = path.split('?', 1);
  const query = path.slice(pathname.length + 1);
  return seeUrl(
    baseUrl,
    pathname,
    query === ''
      ? []
      : query.split('&').map((pair): [string, string] => {
          const equals = pair.indexOf('=');
          return [pair.slice(0, equals), pair.slice(equals + 1)];
        }),
  );
}
