import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASSETS, PLACEHOLDER_URLS, reversedHost } from '@vcds/portal';
import { ACCESS_BASE_PATH, seeUrl } from '@vcds/service-kit';
import { DOCS_PATH, type PublicUrls } from '../keys/endpoints.ts';
import type { Html } from '../pages/html.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { createSiteFile, isTextFile, type SiteFile } from './site-file.ts';

/** The paths of the files beside the documentation. */
export const ASSET_PATHS: Readonly<Record<string, string>> = Object.freeze({
  [`${ACCESS_BASE_PATH}/${ASSETS.dataApi}`]: ASSETS.dataApi,
  [`${ACCESS_BASE_PATH}/${ASSETS.accessApi}`]: ASSETS.accessApi,
  [`${ACCESS_BASE_PATH}/${ASSETS.postman}`]: ASSETS.postman,
  [`/${ASSETS.llms}`]: ASSETS.llms,
  [`/${ASSETS.llmsFull}`]: ASSETS.llmsFull,
  [`/${ASSETS.server}`]: ASSETS.server,
  [`/${ASSETS.auth}`]: ASSETS.auth,
  [`/skills/venture-capital-data/${ASSETS.skill}`]: ASSETS.skill,
});

/** The packages that users install, their checksums, and the list of them. */
export const DOWNLOADS_PATH = '/downloads';
/** A release of a package has a URL of its own. */
const PACKAGE = /\/downloads\/[^/]+\.tgz$/;

const FILES_MAX = 5_000;
const BYTES_MAX = 64 * 1024 * 1024;
/** Names below it contain a digest: the content of a URL never changes. */
const HASHED_PATH = `${DOCS_PATH}/assets/`;

/** The files of the documentation and the downloads by path. */
export type Site = ReadonlyMap<string, SiteFile>;

/** The settings that differ between deployments. */
export interface SiteSettings extends PublicUrls {
  /** The public URL of a sandbox, whose calls need no key. */
  readonly sandboxPublicUrl?: string | undefined;
  /** Added to each page. */
  readonly footer?: Html;
}

/**
 * Loads the built documentation into memory, with the public URLs of the deployment. Parts that are not
 * built are missing; a later build takes effect at a restart.
 *
 * @throws Error for more than 5,000 files or 64 MiB.
 */
export function loadSite(folder: URL, settings: SiteSettings): Site {
  const site = new Map<string, SiteFile>();
  let bytesLeft = BYTES_MAX;
  for (const [path, file] of [
    ...assetsIn(folder),
    ...filesIn(folder, 'docs', DOCS_PATH),
    ...filesIn(folder, 'downloads', DOWNLOADS_PATH),
  ]) {
    bytesLeft -= statSync(file).size;
    if (bytesLeft < 0 || site.size === FILES_MAX) {
      throw new Error(`${fileURLToPath(folder)} has more files than can be served.`);
    }
    site.set(path, readSiteFile(path, file, settings));
  }
  return site;
}

function assetsIn(folder: URL): [string, string][] {
  return Object.entries(ASSET_PATHS)
    .map(([path, name]): [string, string] => [path, fileURLToPath(new URL(name, folder))])
    .filter(([, file]) => existsSync(file));
}

function filesIn(folder: URL, name: string, path: string): [string, string][] {
  const files = fileURLToPath(new URL(name, folder));
  if (!existsSync(files)) return [];
  return readdirSync(files, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`${path}/${relative(files, file).split(sep).join('/')}`, file]);
}

function readSiteFile(path: string, file: string, settings: SiteSettings): SiteFile {
  const read = readFileSync(file);
  const text = isTextFile(file) ? read.toString('utf8') : undefined;
  const replaced = text === undefined ? undefined : withSettings(text, settings, file);
  const isUnchanged = text === replaced;
  return createSiteFile(
    file,
    replaced === undefined || isUnchanged ? read : Buffer.from(replaced),
    {
      cacheControl: cacheControlOf(path, isUnchanged),
      contentSecurityPolicy: file.endsWith('.html') ? contentSecurityPolicy(settings) : undefined,
    },
  );
}

function cacheControlOf(path: string, isUnchanged: boolean): string {
  if (isUnchanged && path.startsWith(HASHED_PATH)) return 'public, max-age=31536000, immutable';
  return PACKAGE.test(path) ? 'public, max-age=3600' : 'no-cache';
}

function withSettings(text: string, settings: SiteSettings, file: string): string {
  const { dataPublicUrl, accessPublicUrl, sandboxPublicUrl, footer } = settings;
  const root = (url: string) => seeUrl(url, '').replace(/\/$/, '');
  const replaced = text
    .replaceAll(reversedHost(PLACEHOLDER_URLS.dataPublicUrl), reversedHost(dataPublicUrl))
    .replaceAll(PLACEHOLDER_URLS.dataPublicUrl, root(dataPublicUrl))
    .replaceAll(PLACEHOLDER_URLS.accessPublicUrl, root(accessPublicUrl))
    .replaceAll(
      PLACEHOLDER_URLS.sandboxPublicUrl,
      sandboxPublicUrl === undefined ? '' : root(sandboxPublicUrl),
    );
  if (footer === undefined || !file.endsWith('.html')) return replaced;
  // Outside of what the scripts of the page render.
  return replaced.replace('</body>', () => `${footer.markup}</body>`);
}
