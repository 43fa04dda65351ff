import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SiteError } from '../src/site-error.ts';
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
      age: 0,
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

  test('of the last hour is returned again, with its age and without a request', async () => {
    sites.page('cached.example', '<p>first');
    await read('http://cached.example/#top');
    sites.clock.advance(61_500);
    const page = await read(' http://www.cached.example ');
    expect(page).toMatchObject({ html: '<p>first', age: 61 });
    expect(sites.pagesOf('cached.example')).toHaveLength(1);
    expect(sites.pagesOf('www.cached.example')).toHaveLength(0);
  });
});
