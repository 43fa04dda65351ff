import { ASSETS } from '@vcds/portal';
import { ACCESS_BASE_PATH, seeUrl } from '@vcds/service-kit';
import { USAGE_ENDPOINT } from '../credits/usage-route.ts';
import {
  ACCOUNT_PATH,
  type AccessEndpoint,
  accessUrl,
  DOCS_PATH,
  dataUrl,
  type PublicUrls,
} from '../keys/endpoints.ts';
import { EXCHANGE_ENDPOINT } from '../legacy/open-legacy.ts';
import { REGISTRATION_ENDPOINTS } from '../registration/endpoints.ts';

// The description of the API is made from this file in another folder: it loads no stylesheet.

/** The endpoints that the root lists. */
export const LISTED_ENDPOINTS: readonly AccessEndpoint[] = [
  ...Object.values(REGISTRATION_ENDPOINTS),
  USAGE_ENDPOINT,
  EXCHANGE_ENDPOINT,
];

/** The body of `GET {auth_url}` (docs/spec/addresses.md 1.6). */
export function rootListing(urls: PublicUrls, listed = LISTED_ENDPOINTS) {
  const at = (path: string): string => seeUrl(urls.accessPublicUrl, path);
  return {
    service: 'access-api',
    version: ACCESS_BASE_PATH.split('/').at(-1) ?? '',
    auth_url: accessUrl(urls),
    base_url: dataUrl(urls),
    next:
      'To get an API key, register the email address of the person, ask the person for the code, ' +
      'and verify it. Send the key to base_url in the header X-Api-Key.',
    documentation: at(DOCS_PATH),
    description: accessUrl(urls, `/${ASSETS.accessApi}`),
    data_description: accessUrl(urls, `/${ASSETS.dataApi}`),
    llms: at(`/${ASSETS.llms}`),
    llms_full: at(`/${ASSETS.llmsFull}`),
    account: at(ACCOUNT_PATH),
    endpoints: listed.map(({ path, methods, summary, fields, requires, limits }) => ({
      path: path.startsWith(ACCESS_BASE_PATH) ? path.slice(ACCESS_BASE_PATH.length) : path,
      url: at(path),
      methods,
      summary,
      parameters: Object.keys(fields),
      requires,
      ...(methods.includes('POST') && Object.keys(fields).length > 0
        ? { body: exampleBody(fields, requires[0]) }
        : {}),
      limits,
    })),
  };
}

/** A JSON body with the examples of some fields. */
export function exampleBody(
  fields: AccessEndpoint['fields'],
  names: readonly string[] = [],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, fields[name]?.example ?? '']));
}
