import { isUuidForm } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/refusals';

const NO_ID =
  'There is no such record: an id is a UUID, as the lists give it. A name or a domain is turned ' +
  'into an id by the searches, such as /companies/search?q=….';

/**
 * The id in the path. One that is no UUID cannot name a record: 404 (decisions §4).
 *
 * @param meant the path that was perhaps meant.
 */
export function parseRecordId(text: string, meant: () => string | undefined): string {
  if (isUuidForm(text)) return text.toLowerCase();
  throw new ApiError('not_found', NO_ID, { value: text, suggestion: meant() });
}

/** The answer when a record is not there, or has been deleted. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'There is no record with this id.');
}
