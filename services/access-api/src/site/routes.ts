import { ApiError, type Route, readPath } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { DOCS_PATH } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { sendPage, textPage } from '../pages/layout.ts';
import { ASSET_PATHS, DOWNLOADS_PATH, type Site } from './load-site.ts';
import { sendSiteFile } from './site-file.ts';

const NOT_FOUND_PAGE = `${DOCS_PATH}/404.html`;
const PERMANENT_REDIRECT = 308;
const NOT_BUILT = 'The documentation is not built. Run npm run build, then restart the service.';

/**
 * `/docs`, the descriptions of both APIs, the files for assistants, and the packages that users install:
 * free, without a key.
 */
export function siteRoutes({ site }: { readonly site: Site }): Route[] {
  const isBuilt = site.has(`${DOCS_PATH}/index.html`);
  const page = async (request: Request, response: Response): Promise<void> => {
    const path = readPath(request.originalUrl);
    const file = [path, `${path}.html`, `${path}index.html`]
      .map((name) => site.get(name))
      .find(Boolean);
    if (file !== undefined) return sendSiteFile(request, response, file);
    if (site.has(`${path}/index.html`))
      return response.redirect(PERMANENT_REDIRECT, encodeURI(`${path}/`));
    const notFound = site.get(NOT_FOUND_PAGE);
    const wantsPage = request.accepts(['json', 'html']) === 'html';
    if (wantsPage && notFound !== undefined) return sendSiteFile(request, response, notFound, 404);
    if (wantsPage && !isBuilt)
      return sendPage(response, textPage(404, 'Documentation', [NOT_BUILT]));
    const message = isBuilt ? 'Unknown page of the documentation.' : NOT_BUILT;
    throw new ApiError('unknown_path', message, { value: path });
  };
  const pages = [DOCS_PATH, `${DOCS_PATH}/*path`].map((path) => ({
    method: 'GET' as const,
    path,
    surface: 'page' as const,
    handler: page,
  }));
  const downloads = [DOWNLOADS_PATH, `${DOWNLOADS_PATH}/*path`].map((path) =>
    fileRoute(path, site, (asked) =>
      asked.replace(/\/$/, '') === DOWNLOADS_PATH ? `${DOWNLOADS_PATH}/index.json` : asked,
    ),
  );
  return [...pages, ...Object.keys(ASSET_PATHS).map((path) => fileRoute(path, site)), ...downloads];
}

function fileRoute(
  path: string,
  site: Site,
  nameOf: (path: string) => string = (asked) => asked,
): Route {
  return {
    method: 'GET',
    path,
    surface: 'file',
    handler: async (request, response) => {
      readQuery(request, []);
      const asked = readPath(request.originalUrl);
      const file = site.get(nameOf(asked));
      if (file !== undefined) return sendSiteFile(request, response, file);
      const isBuilt = path.endsWith('*path') && site.has(`${DOWNLOADS_PATH}/index.json`);
      const message = isBuilt ? `No such file; ${DOWNLOADS_PATH}/ lists them.` : NOT_BUILT;
      throw new ApiError('unknown_path', message, { value: asked });
    },
  };
}
