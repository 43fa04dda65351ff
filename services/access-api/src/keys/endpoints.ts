import { ACCESS_BASE_PATH, DATA_BASE_PATH, seeUrl } from '@vcds/service-kit';

/** The parameters of each endpoint below {auth_url}. */
export const ACCESS_PARAMETERS = {
  '/auth/register': ['email'],
  '/auth/verify': ['request_id', 'email', 'code'],
  '/auth/status': ['request_id'],
  '/usage': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The documentation, below the public URL of the access API. */
export const DOCS_PATH = '/docs';

/** Public roots of both services, without a version segment. */
export interface PublicUrls {
  readonly accessPublicUrl: string;
  readonly dataPublicUrl: string;
}

/** The public URL of a path below {auth_url}. */
export function accessUrl({ accessPublicUrl }: Pick<PublicUrls, 'accessPublicUrl'>, path = '') {
  return seeUrl(accessPublicUrl, `${ACCESS_BASE_PATH}${path}`);
}

/** {base_url}: the public URL of the data API. */
export function dataUrl({ dataPublicUrl }: Pick<PublicUrls, 'dataPublicUrl'>): string {
  return seeUrl(dataPublicUrl, DATA_BASE_PATH);
}
