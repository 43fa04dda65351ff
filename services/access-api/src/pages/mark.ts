import type { Route } from '@vcds/service-kit';
import type { Html } from './html.ts';

/** The path of the icon. */
export const ICON_PATH = '/icon.svg';
const DAY_SECONDS = 86_400;

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

/** Serves the icon. */
export const iconRoute: Route = {
  method: 'GET',
  path: ICON_PATH,
  handler: (_request, response) => {
    response.setHeader('Content-Type', 'image/svg+xml');
    response.setHeader('Cache-Control', `public, max-age=${DAY_SECONDS}`);
    response.setHeader('Content-Length', Buffer.byteLength(ICON));
    response.end(ICON);
  },
};
