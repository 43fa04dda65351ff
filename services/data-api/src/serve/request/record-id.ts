import { echo, isUuidForm, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { looksLikeWebsite } from '@vcds/venture-model';

/** The search that finds the id for a name, by collection. */
const SEARCHES: Readonly<Record<string, string>> = {
  startups: '/startups/search?q={value}',
  funds: '/funds/search?q={value}',
  persons: "/persons?$filter=Name like '{value}'",
};

/**
 * The id in the path. A text that is not a UUID is 404 (docs/spec/collections.md 6.1), with a link
 * to the search for a name.
 *
 * @param endpoint the endpoint's path, `/startups/:id`.
 * @param meant the path that was probably intended.
 * @throws ApiError `not_found`.
 */
export function parseRecordId(
  text: string,
  endpoint: string,
  meant: () => string | undefined,
): string {
  if (isUuidForm(text)) return text.toLowerCase();
  const suggestion = meant();
  const search = SEARCHES[endpoint.split('/')[1] ?? ''];
  const message = `'${echo(text)}' is not an id. Ids are UUIDs: search for a name or website.`;
  throw new ApiError('not_found', withHint(message, suggestion), {
    value: text,
    suggestion,
    see: looksLikeWebsite(text) ? search?.replace('?q=', '?website=') : search,
  });
}

/** The error for a record that does not exist or was deleted. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'No record with this id.');
}
