import { TOKEN_PARAMETER } from '@vcds/credentials';
import {
  ApiError,
  bounded,
  nearest,
  type QueryString,
  readQueryString,
  withHint,
} from '@vcds/service-kit';
import type { Request } from 'express';

/**
 * The query parameters of a call. Every endpoint accepts a `token` and ignores it here; any other
 * name that is not in `names` is an error.
 *
 * @throws ApiError `unknown_parameter`, or as `readQueryString`.
 */
export function readQuery(request: Request, names: readonly string[]): ReadonlyMap<string, string> {
  return acceptQuery(readQueryString(request), names);
}

/** {@link readQuery} of a query string that is already parsed. */
export function acceptQuery(
  { parameters, error }: QueryString,
  names: readonly string[],
): ReadonlyMap<string, string> {
  if (error !== undefined) throw error;
  for (const name of parameters.keys()) {
    if (name === TOKEN_PARAMETER || names.includes(name)) continue;
    const suggestion = nearest(name, names);
    const message = withHint(`Unknown parameter ${bounded(name, 60)}.`, suggestion);
    throw new ApiError('unknown_parameter', message, {
      parameter: name,
      allowed: names,
      suggestion,
    });
  }
  return parameters;
}
