import { QueryError } from '@vcds/odata-query';
import { ApiError, seeUrl } from '@vcds/service-kit/refusals';

/**
 * The answer to anything thrown on the way: a query's refusal becomes a 400 of its code, and a
 * path of the service to see becomes a URL.
 */
export function asRefusal(thrown: unknown, baseUrl: string): unknown {
  if (thrown instanceof ApiError && thrown.details.see?.startsWith('/') === true) {
    const details = { ...thrown.details, see: absolute(baseUrl, thrown.details.see) };
    return new ApiError(thrown.code, thrown.message, details, { cause: thrown });
  }
  if (!(thrown instanceof QueryError)) return thrown;
  const { code, message, parameter, field, position, value, allowed, suggestion, see } = thrown;
  return new ApiError(
    code,
    message,
    {
      parameter,
      field,
      position,
      value,
      allowed,
      suggestion,
      see: see === undefined ? undefined : absolute(baseUrl, see),
    },
    { cause: thrown },
  );
}

function absolute(baseUrl: string, path: string): string {
  const [pathname = '', query = ''] = path.split('?');
  return seeUrl(baseUrl, pathname, new URLSearchParams(query));
}
