import { seeUrl } from '@vcds/service-kit';

/** {auth_url} below the public root. */
export const ACCESS_BASE_PATH = '/api/v1';
/** {base_url} below the public root of data-api. */
export const DATA_BASE_PATH = '/v2';

/** The parameters of each endpoint below {auth_url}. */
export const ACCESS_PARAMETERS = {
  '/auth/register': ['email'],
  '/auth/verify': ['request_id', 'email', 'code'],
  '/auth/status': ['request_id'],
  '/usage': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

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
