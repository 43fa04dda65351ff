import { RATE_CARD } from '@vcds/metering';
import {
  ACCESS_BASE_PATH,
  DATA_BASE_PATH,
  nearestPath,
  type Route,
  seeUrl,
} from '@vcds/service-kit';
import { dataUrl, type PublicUrls } from '../keys/endpoints.ts';

const PATTERNS = RATE_CARD.map(({ path }) => path.split('/'));

/**
 * The full URL of an endpoint of the data API that was requested at this host, with or without a
 * version before it; undefined for any other path.
 */
function dataUrlOf(path: string, urls: PublicUrls): string | undefined {
  const below = path.startsWith(`${DATA_BASE_PATH}/`) ? path.slice(DATA_BASE_PATH.length) : path;
  const asked = (
    below.startsWith(`${ACCESS_BASE_PATH}/`) ? below.slice(ACCESS_BASE_PATH.length) : below
  )
    .replace(/\/$/, '')
    .split('/');
  const isServed = PATTERNS.some(
    (pattern) =>
      pattern.length === asked.length &&
      pattern.every((part, i) => (part.startsWith('{') ? asked[i] !== '' : part === asked[i])),
  );
  if (!isServed) return undefined;
  return seeUrl(dataUrl(urls), asked.map(encodeURIComponent).join('/'));
}

/** The suggestion for an unknown path: an endpoint of the data API, else the nearest route. */
export function suggestPath(
  path: string,
  routes: readonly Route[],
  urls: PublicUrls,
): string | undefined {
  const patterns = new Set(routes.map((route) => route.path).filter((each) => !each.includes('*')));
  return dataUrlOf(path, urls) ?? nearestPath(path, [...patterns]);
}
