import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

const HTML = 'text/html';

/** Sites that cannot be read: the name, the status and code of the error, and how the site responds. */
export const FAULTS: readonly (readonly [
  string,
  number,
  string,
  (response: ServerResponse) => void,
])[] = [
  ['status-404', 422, 'site_unreachable', (response) => response.writeHead(404).end()],
  ['broken', 422, 'site_unreachable', (response) => response.destroy()],
  [
    'loop',
    422,
    'site_unreachable',
    (response) => response.writeHead(302, { location: 'http://loop.example/' }).end(),
  ],
  [
    'inside',
    400,
    'address_not_public',
    (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
  ],
  ['status-403', 422, 'site_refused', (response) => response.writeHead(403).end()],
  [
    'document',
    422,
    'not_html',
    (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
  ],
  [
    'bomb',
    422,
    'site_too_large',
    (response) => {
      const headers = { 'content-type': HTML, 'content-encoding': 'gzip' };
      response.writeHead(200, headers).end(gzipSync(Buffer.alloc(8_000_000, ' ')));
    },
  ],
  [
    'endless',
    422,
    'site_too_large',
    (response) => {
      response.writeHead(200, { 'content-type': HTML });
      const chunk = Buffer.alloc(65_536, '<p>');
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    },
  ],
  [
    'empty',
    422,
    'site_empty',
    (response) => response.writeHead(200, { 'content-type': HTML }).end('<p>Hi'),
  ],
  [
    'parked',
    422,
    'site_empty',
    (response) =>
      response.writeHead(200, { 'content-type': HTML }).end('<title>Buy this domain</title>'),
  ],
];
