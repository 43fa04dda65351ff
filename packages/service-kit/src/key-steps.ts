import { seeUrl } from './see-url.ts';

/**
 * The calls of the access API that get a key, for the root of the data API: each with an example of
 * its JSON body, and what to do then.
 *
 * @param authUrl {auth_url}.
 */
export function keySteps(authUrl: string) {
  return [
    {
      method: 'POST',
      url: seeUrl(authUrl, '/auth/register'),
      body: { email: 'ada@example.com' },
      next: 'Ask the person for the six-digit code in the message.',
    },
    {
      method: 'POST',
      url: seeUrl(authUrl, '/auth/verify'),
      body: { request_id: 'request_id of the response', code: '123456' },
      next: 'Send api_key of the response with every call, in the header X-Api-Key.',
    },
  ] as const;
}
