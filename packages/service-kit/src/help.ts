import { ACCESS_BASE_PATH } from './base-paths.ts';
import { ApiError } from './errors.ts';
import { seeUrl } from './see-url.ts';

/**
 * An error that no other call repairs names what does: the way to a key, the page of plans, or the
 * page for assistants. `see` is a page for a person, unless the error has one.
 *
 * @param authUrl {auth_url}.
 */
export function withHelp(error: ApiError, authUrl: string | undefined): ApiError {
  if (authUrl === undefined) return error;
  const accessUrl = authUrl.slice(0, -ACCESS_BASE_PATH.length);
  const at = (path: string) => seeUrl(accessUrl, path);
  switch (error.code) {
    case 'unauthorized': {
      if (error.details.isAccessToken === true) return error;
      // A challenge of another scheme asks for another credential than a key.
      if (error.details.challenge?.startsWith('Bearer') === false) return error;
      const register = seeUrl(authUrl, '/auth/register');
      return extended(
        error,
        `To get a key, send {"email": "…"} to POST ${register}, or sign in at ${at('/account')}.`,
        at('/account'),
      );
    }
    case 'not_entitled':
      return extended(error, `Plans: ${at('/account/credits')}`, at('/account/credits'));
    case 'unknown_path':
      return extended(error, `For assistants: ${at('/llms.txt')}`);
    default:
      return error;
  }
}

function extended(error: ApiError, sentence: string, page?: string): ApiError {
  const { code, message, details, cause } = error;
  const see = details.see ?? page;
  return new ApiError(code, `${message} ${sentence}`, { ...details, see }, { cause });
}
