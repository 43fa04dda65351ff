import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SHARED_STYLES } from '@vcds/portal';
import type { Route } from '@vcds/service-kit';
import type { Html } from './html.ts';

/** Text that stands in the pages themselves, so that browsers fetch nothing. */
export interface Asset extends Html {
  /** Its source expression for a Content-Security-Policy. */
  readonly source: string;
}

/** The stylesheet of all pages. */
export const STYLESHEET = assetOf(
  (readFileSync(SHARED_STYLES, 'utf8') + read('stylesheet.css')).replaceAll(/\s+/g, ' '),
);

/** The only script, the last element of a page with texts to copy. */
export const COPY_SCRIPT = assetOf(read('copy-script.js'));

// Not compiled, so it is read from `src` by the compiled pages too.
function read(name: string): string {
  return readFileSync(new URL(`../../src/pages/${name}`, import.meta.url), 'utf8');
}

function assetOf(markup: string): Asset {
  const digest = createHash('sha256').update(markup).digest('base64');
  return { markup, source: `'sha256-${digest}'` };
}

// Three rising columns on a square, legible at 16 pixels.
const SHAPES =
  '<rect x="6" y="17" width="5" height="9" rx="1"/>' +
  '<rect x="13.5" y="12" width="5" height="14" rx="1"/>' +
  '<rect x="21" y="6" width="5" height="20" rx="1"/>';

/** The mark beside the name of the service; the stylesheet has its colors. */
export const MARK: Html = {
  markup:
    '<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">' +
    `<rect class="ground" width="32" height="32" rx="7"/>${SHAPES}</svg>`,
};

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  `<rect width="32" height="32" rx="7" fill="#1f4fbf"/><g fill="#fff">${SHAPES}</g></svg>\n`;
const DAY_SECONDS = 86_400;

/** The same as an icon of browsers. */
export const iconRoute: Route = {
  method: 'GET',
  path: '/icon.svg',
  handler: (_request, response) => {
    response.setHeader('Content-Type', 'image/svg+xml');
    response.setHeader('Cache-Control', `public, max-age=${DAY_SECONDS}`);
    response.setHeader('Content-Length', Buffer.byteLength(ICON));
    response.end(ICON);
  },
};
