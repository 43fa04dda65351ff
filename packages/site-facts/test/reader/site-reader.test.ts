// Tests docs/spec/find.md 20.5, 20.6, 20.7.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger, readConfig } from '@vcds/service-kit';
import { OutboundError } from '@vcds/site-facts/outbound-http';
import { eventually } from '@vcds/test-kit';
import { decodePage } from '../../src/reader/decode-page.ts';
import { openSiteReader, SITE_VARIABLES } from '../../src/reader/open-site-reader.ts';
import { ROBOT_TOKEN } from '../../src/reader/robots.ts';
import { SiteError } from '../../src/reader/site-error.ts';
import { HTML, type Sites, startSites } from './support.ts';

let sites: Sites;
beforeAll(async () => {
  sites = await startSites();
});
afterAll(async () => {
  await sites.stop();
});

const read = (website: string, accountId = 'account', options = {}) =>
  sites.reader(options).readSite({ website, accountId });

/** The error of reading a site. */
async function errorOf(website: string, accountId?: string, options = {}): Promise<SiteError> {
  const error = await read(website, accountId, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof SiteError)) throw new Error(`no SiteError: ${String(error)}`);
  return error;
}

describe('the reader of a process', () => {
  const config = () =>
    readConfig(SITE_VARIABLES, {
      OUTBOUND_TEST_ADDRESS: `127.0.0.1:${sites.port}`,
      ACCESS_API_PUBLIC_URL: 'https://access.acme.example/',
    });

  test('has a User-Agent with the page about the robot, and logs its test address', async () => {
    const lines: string[] = [];
    const agents: (string | undefined)[] = [];
    sites.site('agent.example', (request, response) => {
      agents.push(request.headers['user-agent']);
      response.writeHead(request.url === '/robots.txt' ? 404 : 200, HTML).end('<p>');
    });
    const logger = createLogger({ service: 'test', sink: { write: (line) => lines.push(line) } });
    const reader = openSiteReader({ config: config(), redis: sites.redis, logger });
    await reader.readSite({ website: 'http://agent.example', accountId: 'account' });
    const agent = 'VCDS-Bot/2.1 (+https://access.acme.example/docs/bot)';
    expect(agents).toEqual([agent, agent]);
    expect(lines.join('')).toMatch(/"level":"?(?:40|warn).*test configuration/);
    const page = new URL('../../../portal/site/bot.md', import.meta.url);
    expect(readFileSync(page, 'utf8')).toContain(`User-agent: ${ROBOT_TOKEN}`);
  });
});

describe('a site is not read', () => {
  test.each([
    ['a text that is no host', 'two words', 'bad_parameter'],
    ['another scheme', 'ftp://acme.example', 'bad_parameter'],
    ['another port', 'http://acme.example:8080', 'bad_parameter'],
    ['credentials', 'http://user:pass@acme.example', 'bad_parameter'],
    ['a name of this machine', 'localhost', 'address_not_public'],
    ['an address of this machine', 'http://2130706433/', 'address_not_public'],
    ['a public address, under the test configuration', '93.184.215.14', 'address_not_public'],
  ])('for %s', async (_, website, reason) => {
    expect((await errorOf(website)).reason).toBe(reason);
  });
});

describe('a page', () => {
  test('is read over http if https does not respond, with its charset and URL', async () => {
    sites.page('acme.example', '<title>Acme — ü</title>');
    const page = await read('acme.example/');
    expect(page).toMatchObject({
      website: 'acme.example',
      finalUrl: 'http://acme.example/',
      status: 200,
      html: '<title>Acme — ü</title>',
      fetchedAt: new Date(sites.clock.wallMs()),
    });
    expect(page.headers['content-type']).toBe(HTML['content-type']);
  });

  test.each([
    ['the header', 'text/html; charset="ISO-8859-2"', Buffer.from('<p>\xb1</p>', 'latin1'), 'ą'],
    ['meta', 'text/html', Buffer.from('<meta charset=koi8-r>\xc1', 'latin1'), 'а'],
    ['a byte order mark', 'text/html; charset=latin1', Buffer.from('\uFEFF<p>ж'), 'ж'],
    ['valid UTF-8', 'text/html', Buffer.from('<p>ж'), 'ж'],
    ['Windows-1252 otherwise', 'text/html', Buffer.from('<p>\x80', 'latin1'), '€'],
    ['Shift_JIS', 'text/html; charset=Shift_JIS', Buffer.from([0x82, 0xa0]), 'あ'],
  ])('is decoded by %s', async (name, type, body, expected) => {
    const host = `${Buffer.from(name).toString('hex')}.example`;
    sites.page(host, body, { 'content-type': type });
    expect((await read(host)).html).toContain(expected);
  });

  test.each([
    ['Shift_JIS', [0x82, 0xa0], 'あ'],
    ['GBK', [0xb0, 0xa1], '啊'],
    ['windows-1251', [0xe6], 'ж'],
    ['koi8-r', [0xd6], 'ж'],
    ['EUC-JP', [0xa4, 0xa2], 'あ'],
    ['EUC-KR', [0xb0, 0xa1], '가'],
    ['Big5', [0xa4, 0x40], '一'],
  ])('is decoded by meta charset=%s beyond the first 1,024 bytes', (charset, bytes, expected) => {
    const head = `<title>t</title>${'<link rel=x>'.repeat(200)}<!-- <meta charset=utf-7> -->`;
    const html = [Buffer.from(`${head}<meta charset=${charset}><p>`), Buffer.from(bytes)];
    expect(decodePage(Buffer.concat(html), 'text/html')).toContain(`<p>${expected}`);
  });

  test.each(['<!--', '<script>', '<meta '])('full of %s is decoded in linear time', (unit) => {
    const body = Buffer.from(unit.repeat(Math.floor(2 ** 21 / unit.length)));
    expect(decodePage(body, undefined)).toHaveLength(body.length);
  });

  test.each([
    ['www9.hosts.example', 'hosts.example'],
    ['www.team.hosts.example', 'team.hosts.example'],
  ])('of %s is not that of %s', async (one, other) => {
    sites.page(one, '<p>one');
    sites.page(other, '<p>other');
    expect(await read(one)).toMatchObject({ html: '<p>one' });
    expect(await read(other)).toMatchObject({ html: '<p>other' });
  });
});

describe('a website', () => {
  test.each([
    ['Plain.Example', 'plain.example', 'http://plain.example/'],
    ['plain.example/Path/?a=B#c', 'plain.example/Path/?a=B', 'http://plain.example/Path/?a=B'],
    ['www.plain.example/', 'plain.example', 'http://www.plain.example/'],
    ['http://plain.example:80/a/', 'plain.example/a', 'http://plain.example/a/'],
    ['münchen.example', 'xn--mnchen-3ya.example', 'http://xn--mnchen-3ya.example/'],
    ['plain.example.', 'plain.example', 'http://plain.example/'],
  ])('%s is %s', async (text, website, finalUrl) => {
    for (const host of ['plain.example', 'www.plain.example', 'xn--mnchen-3ya.example']) {
      sites.page(host, '<p>');
    }
    await sites.redis.flushdb();
    expect(await read(text)).toMatchObject({ website, finalUrl });
  });

  test('is read with www. if the bare domain has no address', async () => {
    sites.page('www.bare.example', '<p>with www');
    const client = {
      fetchPage: (url: string, options = {}) =>
        new URL(url).hostname === 'bare.example'
          ? Promise.reject(new OutboundError('unreachable', 'The host has no address.'))
          : sites.client.fetchPage(url.replace('https:', 'http:'), options),
    };
    expect(await read('bare.example', 'account', { client })).toMatchObject({
      website: 'bare.example',
      html: '<p>with www',
    });
    expect((await errorOf('https://gone.bare.example', 'account', { client })).reason).toBe(
      'site_unreachable',
    );
  });
});

describe('an error of a site', () => {
  test.each([
    ...[401, 403, 407, 429, 451].map((status) => [status, 'site_refused'] as const),
    ...[204, 304, 400, 404, 410, 500, 503, 999].map(
      (status) => [status, status === 204 ? '' : 'site_unreachable'] as const,
    ),
  ])('with status %d', async (status, reason) => {
    const host = `status-${status}.example`;
    sites.site(host, (request, response) => {
      response.writeHead(request.url === '/robots.txt' ? 404 : status, HTML).end();
    });
    if (reason === '') expect(await read(host)).toMatchObject({ status, html: '' });
    else expect(await errorOf(host)).toMatchObject({ reason, status });
  });

  test.each([
    ['image/png', '<html>', 'not_html'],
    ['application/json', '{}', 'not_html'],
    ['', '{"a":1}', 'not_html'],
    ['', '\x89PNG', 'not_html'],
    ['', ' \n<!DOCTYPE html><p>', undefined],
    ['', '', undefined],
    ['Text/HTML;charset=x', 'hello', undefined],
    ['application/xhtml+xml', '<?xml version="1.0"?><html/>', undefined],
  ])('with Content-Type %j and body %j', async (type, body, reason) => {
    const host = `type-${Buffer.from(type + body)
      .toString('hex')
      .slice(0, 50)}.example`;
    sites.page(host, body, type === '' ? {} : { 'content-type': type });
    if (reason === undefined) expect((await read(host)).status).toBe(200);
    else expect((await errorOf(host)).reason).toBe(reason);
  });

  test('is kept for a minute, and then tried again', async () => {
    sites.site('broken.example', (request, response) => {
      response.writeHead(request.url === '/robots.txt' ? 404 : 500).end();
    });
    const reader = sites.reader();
    const errorNow = async () => {
      const reading = reader.readSite({ website: 'broken.example', accountId: 'account' });
      const { reason, message, status } = (await reading.catch((thrown) => thrown)) as SiteError;
      return { reason, message, status };
    };
    const first = await errorNow();
    expect(first.status).toBe(500);
    sites.clock.advance(59_000);
    expect(await errorNow()).toEqual(first);
    expect(sites.pagesOf('broken.example')).toHaveLength(1);
    sites.clock.advance(2_000);
    expect(await errorNow()).toEqual(first);
    expect(sites.pagesOf('broken.example')).toHaveLength(2);
  });

  test('over one scheme or port is none of the same website over another', async () => {
    const client = {
      fetchPage: (url: string, options = {}) =>
        url.startsWith('https:')
          ? sites.client.fetchPage(url.replace('https:', 'http:'), {
              ...options,
              beforeRequest: undefined,
            })
          : Promise.reject(new OutboundError('unreachable', 'The site is not reachable.')),
    };
    sites.page('secure.example', '<p>secure');
    for (const text of ['http://secure.example', 'http://secure.example:443']) {
      expect((await errorOf(text, 'account', { client })).reason).toBe('site_unreachable');
    }
    expect((await read('secure.example', 'account', { client })).html).toBe('<p>secure');
  });

  test.each([
    ['too large', 'site_too_large', { 'content-length': String(2 ** 22) }],
    ['compressed wrongly', 'site_unreachable', { 'content-encoding': 'gzip' }],
    ['a redirect into the private network', 'address_not_public', { location: 'http://10.0.0.1/' }],
    ['a redirect to another port', 'site_unreachable', { location: 'http://a.example:8080/' }],
    ['a redirect to itself', 'site_unreachable', { location: '/' }],
  ])('that is %s is %s', async (name, reason, headers) => {
    const host = `${name.replaceAll(' ', '-')}.example`;
    sites.site(host, (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else
        response.writeHead('location' in headers ? 302 : 200, { ...HTML, ...headers }).end('<p>');
    });
    expect((await errorOf(host)).reason).toBe(reason);
  });

  test('that takes too long is site_timeout, whatever is slow', async () => {
    const timeMsMax = 150;
    sites.site('slow.example', () => undefined);
    sites.site('slow-page.example', (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
    });
    for (const host of ['http://slow.example', 'http://slow-page.example']) {
      expect((await errorOf(host, 'account', { timeMsMax })).reason).toBe('site_timeout');
    }
    expect(await sites.redis.zcard('sites:leases')).toBe(0);
  });

  test('is not made of the abort of the caller', async () => {
    sites.site('left.example', () => undefined);
    const abort = new AbortController();
    const reason = new Error('the client has left');
    const reader = sites.reader();
    const request = { website: 'http://left.example', accountId: 'account' };
    const pending = reader.readSite({ ...request, signal: abort.signal });
    await eventually(() => sites.requests.some(({ host }) => host === 'left.example'));
    abort.abort(reason);
    await expect(pending).rejects.toBe(reason);
    sites.page('left.example', '<p>back');
    expect((await reader.readSite(request)).html).toBe('<p>back');
    expect(await sites.redis.zcard('sites:leases')).toBe(0);
  });
});
