// Tests docs/spec/addresses.md 1.8.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLogger, createMetrics, createPublicApp, seeUrl } from '@vcds/service-kit';
import request from 'supertest';
import { DOCS_PATH } from '../../src/keys/endpoints.ts';
import { footerOf } from '../../src/pages/footer.ts';
import { ASSET_PATHS, loadSite } from '../../src/site/load-site.ts';
import { siteRoutes } from '../../src/site/routes.ts';

const URLS = {
  accessPublicUrl: 'https://access.example.com/',
  dataPublicUrl: 'https://data.example.com',
};
const LONG = 'Call https://api.vcds.example/v2/startups. '.repeat(60);
const BUILT = {
  'openapi.json':
    '{"openapi":"3.0.3","info":{},"paths":{},"servers":[{"url":"https://api.vcds.example/v2"}]}',
  'access-openapi.json':
    '{"openapi":"3.0.3","info":{},"paths":{},"servers":[{"url":"https://access.vcds.example/api/v1"}]}',
  'postman.json': '{"info":{},"item":[],"variable":[{"value":"https://api.vcds.example/v2"}]}',
  'llms.txt': '# Venture Capital Data Service\n',
  'llms-full.txt': LONG,
  'server.json':
    '{"$schema":"s","name":"example.vcds.api/x","description":"d","version":"1","remotes":[{"url":"https://api.vcds.example/mcp"}]}',
  'auth.md': '# auth.md\n',
  'SKILL.md': '# Skill\n',
  'index.js': 'export const secret = 1;',
  'docs/index.html': `<script src="/docs/assets/app.3fa9C2-x.js"></script>`,
  'docs/keys.html': '<h1>Keys</h1>',
  'docs/guide/index.html': '<h1>Guide</h1>',
  'docs/404.html': '<h1>No such page</h1>',
  'docs/assets/app.3fa9C2-x.js': 'const a = 1;',
  'docs/assets/base.3fa9C2-y.js': 'const base = "https://api.vcds.example";',
  'downloads/index.json':
    '{"packages":[{"url":"https://access.vcds.example/downloads/a-1.0.0.tgz"}]}',
  'downloads/a-1.0.0.tgz': Buffer.from([0x1f, 0x8b, 0x08]),
  'downloads/.stamp': 'secret',
  'docs/assets/logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47]),
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string | Buffer>>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'vcds-site-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return pathToFileURL(`${folder}/`);
}

function appOf(folder: URL) {
  return createPublicApp({
    logger: createLogger({ service: 'test', level: 'error' }),
    metrics: createMetrics('test'),
    settings: { requireHttps: false, trustProxy: undefined, cacheControl: 'no-store' },
    routes: siteRoutes({ site: loadSite(folder, URLS) }),
  });
}

const folder = folderWith(BUILT);
const app = appOf(folder);
const get = (path: string) => request(app).get(path).set('Accept-Encoding', 'identity');

describe('the documentation', () => {
  test('docs_url resolves: it redirects to the start page, which is served', async () => {
    const docsUrl = new URL(seeUrl(URLS.accessPublicUrl, DOCS_PATH));
    const answer = await get(docsUrl.pathname);
    expect([answer.status, answer.headers.location]).toEqual([308, '/docs/']);
    const page = await get('/docs/');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toBe(BUILT['docs/index.html']);
  });

  test.each([
    ['/docs/keys', 'Keys'],
    ['/docs/keys.html', 'Keys'],
    ['/docs/keys?from=mail', 'Keys'],
    ['/docs/guide/', 'Guide'],
  ])('%s is a page', async (path, title) => {
    const { status, text } = await get(path);
    expect([status, text]).toEqual([200, `<h1>${title}</h1>`]);
  });

  test('a page allows its own scripts and styles, none in its text, and calls of both APIs', async () => {
    const { headers } = await get('/docs/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; style-src 'self';");
    expect(policy).toContain(
      "connect-src 'self' https://access.example.com https://data.example.com;",
    );
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a page has the footer of the operator, and the sandbox of the deployment', () => {
    const footer = footerOf({ imprintUrl: 'https://example.com/?a&b', contact: undefined });
    const files = {
      'docs/a.html': '<body>A</body>',
      'docs/assets/api.js': `'https://sandbox.vcds.example'`,
    };
    const settings = { ...URLS, footer, sandboxPublicUrl: 'https://try.example.com/' };
    const site = loadSite(folderWith(files), settings);
    const textOf = (of: typeof site, path: string) => of.get(path)?.bytes.toString();
    const { markup } = footer;
    expect(textOf(site, '/docs/a.html')).toBe(`<body>A${markup}</body>`);
    expect(markup).toContain('href="https://example.com/?a&amp;b">Imprint');
    expect(markup).not.toContain('Contact');
    expect(site.get('/docs/a.html')?.contentSecurityPolicy).toContain(' https://try.example.com;');
    const script = '/docs/assets/api.js';
    expect(textOf(site, script)).toBe(`'https://try.example.com'`);
    expect(textOf(loadSite(folderWith(files), URLS), script)).toBe(`''`);
  });

  test('a missing page is a 404: a page for a browser, an error body for a program', async () => {
    const browser = await get('/docs/nothing').set('Accept', 'text/html,*/*;q=0.8');
    expect([browser.status, browser.text]).toEqual([404, BUILT['docs/404.html']]);
    const program = await get('/docs/nothing');
    expect([program.status, program.body.error.code]).toEqual([404, 'unknown_path']);
  });

  test.each([
    '/docs/../index.js',
    '/docs/%2e%2e/index.js',
    '/docs/..%2findex.js',
    '/docs//index.js',
    '/index.js',
    '/docs/assets',
    '/docs/constructor',
  ])('%s is not served', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('a file whose name has a digest is cached permanently, unless it contains a public URL', async () => {
    const fixed = await get('/docs/assets/app.3fa9C2-x.js');
    expect(fixed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const configured = await get('/docs/assets/base.3fa9C2-y.js');
    expect(configured.headers['cache-control']).toBe('no-cache');
    expect(configured.text).toBe('const base = "https://data.example.com";');
    const image = await get('/docs/assets/logo.png');
    expect(image.headers['content-type']).toBe('image/png');
    expect(image.body).toEqual(BUILT['docs/assets/logo.png']);
  });
});

describe('the files for programs', () => {
  test.each([
    [
      '/api/v1/openapi.json',
      'application/json',
      '{"openapi":"3.0.3","info":{},"paths":{},"servers":[{"url":"https://data.example.com/v2"}]}',
    ],
    [
      '/api/v1/access-openapi.json',
      'application/json',
      '{"openapi":"3.0.3","info":{},"paths":{},"servers":[{"url":"https://access.example.com/api/v1"}]}',
    ],
    [
      '/api/v1/postman.json',
      'application/json',
      '{"info":{},"item":[],"variable":[{"value":"https://data.example.com/v2"}]}',
    ],
    ['/llms.txt', 'text/plain; charset=utf-8', BUILT['llms.txt']],
    [
      '/server.json',
      'application/json',
      '{"$schema":"s","name":"com.example.data/x","description":"d","version":"1","remotes":[{"url":"https://data.example.com/mcp"}]}',
    ],
    ['/auth.md', 'text/markdown; charset=utf-8', BUILT['auth.md']],
    ['/skills/venture-capital-data/SKILL.md', 'text/markdown; charset=utf-8', BUILT['SKILL.md']],
    [
      '/llms-full.txt',
      'text/plain; charset=utf-8',
      LONG.replaceAll('api.vcds.example', 'data.example.com'),
    ],
  ])('%s has the configured URLs, for scripts of any origin', async (path, type, text) => {
    const answer = await get(path);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    });
    const head = await request(app).head(path).set('Accept-Encoding', 'identity');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(text.length)]);
    expect(head.headers.etag).toBe(answer.headers.etag);
    expect((await request(app).options(path)).headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await get(`${path}?x=1`)).body.error.code).toBe('unknown_parameter');
  });

  test.each(['br', 'gzip'])(
    'a file is sent as %s to a client that accepts it',
    async (encoding) => {
      // The client decompresses it.
      const { headers, text } = await request(app)
        .get('/llms-full.txt')
        .set('Accept-Encoding', encoding);
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding']);
      expect(Number(headers['content-length'])).toBeLessThan(LONG.length / 2);
      expect(text).toBe(LONG.replaceAll('api.vcds.example', 'data.example.com'));
      expect(headers.etag).not.toBe((await get('/llms-full.txt')).headers.etag);
    },
  );

  test.each(Object.keys(ASSET_PATHS))(
    'a client that has %s gets 304 without a body',
    async (path) => {
      const { headers } = await get(path);
      for (const method of ['get', 'head'] as const) {
        const ask = () => request(app)[method](path).set('Accept-Encoding', 'identity');
        const again = await ask().set('If-None-Match', headers.etag ?? '');
        expect([again.status, again.text ?? '']).toEqual([304, '']);
        expect(again.headers.etag).toBe(headers.etag);
        expect((await ask().set('If-None-Match', '"other"')).status).toBe(200);
      }
    },
  );
});

describe('a build without the documentation', () => {
  const bare = appOf(folderWith({ 'llms.txt': 'x' }));

  test('serves what there is, and says what is missing', async () => {
    expect((await request(bare).get('/llms.txt')).status).toBe(200);
    expect((await request(bare).get('/api/v1/openapi.json')).body.error.code).toBe('unknown_path');
    const page = await request(bare).get('/docs').set('Accept', 'text/html');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('npm run build');
    expect((await request(bare).get('/docs')).body.error.message).toContain('npm run build');
  });

  test('links to files outside of it are not followed', async () => {
    const linked = folderWith({ 'docs/index.html': 'x', 'docs/404.html': 'missing' });
    symlinkSync('/etc/passwd', new URL('docs/passwd.txt', linked));
    expect((await request(appOf(linked)).get('/docs/passwd.txt')).status).toBe(404);
  });
});

describe('the packages that users install', () => {
  test('are listed with their public URLs', async () => {
    for (const path of ['/downloads', '/downloads/', '/downloads/index.json']) {
      const { status, body, headers } = await get(path);
      const url = 'https://access.example.com/downloads/a-1.0.0.tgz';
      expect([status, body]).toEqual([200, { packages: [{ url }] }]);
      expect(headers['cache-control']).toBe('no-cache');
    }
  });

  test('are served as built, with HEAD, for an hour, and again only if they changed', async () => {
    const path = '/downloads/a-1.0.0.tgz';
    const answer = await get(path).buffer(true);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': '3',
      'cache-control': 'public, max-age=3600',
    });
    const head = await request(app).head(path);
    expect([head.status, head.headers['content-length']]).toEqual([200, '3']);
    const again = await get(path).set('If-None-Match', answer.headers.etag ?? '');
    expect(again.status).toBe(304);
  });

  test.each(['/downloads/b-1.0.0.tgz', '/downloads/.stamp', '/downloads/..%2fopenapi.json'])(
    '%s is no file of them',
    async (path) => {
      const { status, body } = await get(path);
      expect([status, body.error.code]).toEqual([404, 'unknown_path']);
    },
  );
});
