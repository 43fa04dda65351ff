// Tests docs/spec/find.md 20.1, 20.2, 20.4, 20.5, 20.6, 20.7, 20.8.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, describeWithData, eventually } from '@vcds/test-kit';
import { chargedOf, errorOf, openApi } from '../support/api.ts';
import { FAULTS } from './support/faults.ts';
import { openFind, pageOf } from './support/find-fixture.ts';
import { PAGES } from './support/page-hooks.ts';

const PAGE = 'html-fixtures/metascraper/teslahunt.html';

const { sites, api, find, pages, addStartup, observationsOf } = await closedAfterAll(openFind());

describe('a look-up', () => {
  test('returns the facts of the site with their evidence, for 25 credits', async () => {
    sites.page('widgets.example', pageOf('Widgets GmbH'));
    const reply = await find('widgets.example');
    expect([reply.status, chargedOf(reply), reply.headers.age]).toEqual([200, 25, undefined]);
    expect(reply.headers['cache-control']).toBe('private, no-store');
    expect(reply.body).toEqual({
      ...{ Website: 'widgets.example', FinalUrl: 'http://widgets.example/' },
      FetchedAt: new Date(sites.clock.wallMs()).toISOString(),
      ...{ Name: 'Widgets GmbH', Title: 'Widgets GmbH: widgets', Description: 'Widgets for all.' },
      ...{ LogoUrl: 'http://widgets.example/icon.png', Language: 'en', Country: 'Germany' },
      FoundedYear: 2014,
      SocialProfiles: [{ Network: 'LinkedIn', Url: 'https://linkedin.com/company/widgets' }],
      Evidence: [
        ['Name', 'Widgets GmbH', 'json-ld Organization.name'],
        ['Title', 'Widgets GmbH: widgets', 'title'],
        ['Description', 'Widgets for all.', 'meta description'],
        ['LogoUrl', '/icon.png', 'link rel=icon'],
        ['Language', 'en', 'html lang'],
        ['Country', 'DE', 'json-ld Organization.address.addressCountry'],
        ['FoundedYear', '2014', 'json-ld Organization.foundingDate'],
        [
          'SocialProfiles',
          'https://www.linkedin.com/company/widgets',
          'json-ld Organization.sameAs',
        ],
      ].map(([Field, Value, Source]) => ({ Field, Value, Source })),
      Match: null,
    });
  });

  test('has every member: an unknown one is null', async () => {
    sites.page('bare.example', '<title>Bare</title>');
    expect((await find('bare.example')).body).toMatchObject({
      ...{ Name: 'Bare', Title: 'Bare', Description: null, LogoUrl: null, Language: null },
      ...{ Country: null, FoundedYear: null, SocialProfiles: [], Match: null },
    });
  });

  test('costs the same from the cache, and says how old the page is', async () => {
    sites.page('cached.example', pageOf('Cached'));
    const first = await find('cached.example');
    sites.page('cached.example', pageOf('Other'));
    sites.clock.advance(90_000);
    const second = await find('http://www.cached.example/');
    expect([second.status, chargedOf(second), second.headers.age]).toEqual([200, 25, '90']);
    expect(second.body).toEqual(first.body);
  });

  test('counts its reads by outcome, with their duration', async () => {
    const countOf = async (outcome: string) => {
      const lines = (await api.metrics()).split('\n');
      const found = lines.find(
        (line) =>
          line.startsWith('vcds_site_read_duration_seconds_count{') &&
          line.includes(`outcome="${outcome}"`),
      );
      return Number(found?.split(' ').at(-1) ?? 0);
    };
    const before = [await countOf('read'), await countOf('site_unreachable')];
    sites.page('counted.example', pageOf('Counted'));
    await find('counted.example');
    sites.clock.advance(1_000);
    await find('counted.example');
    await find('unknown-and-absent.example');
    const after = [await countOf('read'), await countOf('site_unreachable')];
    expect(after.map((count, k) => count - (before[k] ?? 0))).toEqual([1, 1]);
  });

  test('decodes the page by its charset', async () => {
    const html = Buffer.from('<meta charset="windows-1252"><title>Zo\xeb</title>', 'latin1');
    sites.page('charset.example', html, 'text/html');
    expect((await find('charset.example')).body).toMatchObject({ Title: 'Zoë' });
  });

  test('has a price before it runs', async () => {
    const quote = await api.get('/find', { website: 'never-read.example', quote: 'true' });
    expect(quote.body).toMatchObject({ quote: { credits_max: 25, credits_min: 25 } });
    expect(chargedOf(quote)).toBe(0);
    const limited = await api.get('/find', { q: 'x' }, { 'x-credits-max': '24' });
    expect([limited.status, errorOf(limited).code]).toEqual([400, 'price_above_limit']);
  });

  test('takes a website or a name', async () => {
    for (const query of [{}, { website: 'a.example', q: 'A' }]) {
      const reply = await api.get('/find', query);
      expect([reply.status, errorOf(reply).code]).toEqual([400, 'bad_parameter']);
      expect(errorOf(reply)).toMatchObject({ parameter: 'website', allowed: ['website', 'q'] });
    }
  });
});

describe('the match of a look-up', () => {
  test.each([
    ['of the domain', 'by-domain.example', 'https://www.by-domain.example/about', 'Another Name'],
    ['of a parent domain', 'blog.by-parent.example', 'https://by-parent.example', 'Another Name'],
    ['of the name and country', 'by-name.example', null, 'Uniquely Named'],
  ])('is our record %s', async (_, website, recorded, name) => {
    const id = await addStartup(name === 'Another Name' ? `Recorded ${website}` : name, recorded);
    sites.page(website, pageOf(name));
    expect((await find(website)).body).toMatchObject({ Match: { Id: id, Type: 'startup' } });
  });

  test('is our record of the domain that the site redirects to', async () => {
    const id = await addStartup('Moved', 'https://moved-to.example');
    sites.serve('moved-from.example', (_, response) =>
      response.writeHead(301, { location: 'http://moved-to.example/home' }).end(),
    );
    sites.page('moved-to.example', pageOf('Moved Elsewhere'));
    const { body } = await find('moved-from.example');
    expect(body).toMatchObject({ FinalUrl: 'http://moved-to.example/home', Match: { Id: id } });
  });

  test('is none with the same name in another country, or in an unknown one', async () => {
    await addStartup('Namesake Works', null, 'France');
    sites.page('namesake.example', pageOf('Namesake Works'));
    sites.page('unplaced.example', pageOf('Namesake Works', ''));
    for (const website of ['namesake.example', 'unplaced.example']) {
      expect((await find(website)).body).toMatchObject({ Name: 'Namesake Works', Match: null });
    }
  });

  test('by name, the site is that of our record', async () => {
    const id = await addStartup('Quixotic Labs', 'http://quixotic.example');
    await addStartup('Siteless Labs', null);
    await addStartup('Invalid Labs', 'http://192.168.0.1');
    sites.page('quixotic.example', pageOf('Quixotic'));
    const reply = await api.get('/find', { q: 'quixotic labs' });
    expect(chargedOf(reply)).toBe(25);
    expect(reply.body).toMatchObject({ Website: 'quixotic.example', Match: { Id: id } });
    for (const q of ['Siteless Labs', 'Invalid Labs', 'Wholly Unknown']) {
      const missing = await api.get('/find', { q });
      expect([missing.status, errorOf(missing).code]).toEqual([404, 'not_found']);
      expect(chargedOf(missing)).toBe(0);
    }
  });
});

describe('a site that cannot be read costs nothing', () => {
  test.each(FAULTS)('%s: %i %s', async (name, status, code, respond) => {
    sites.serve(`${name}.example`, (_, response) => respond(response));
    const reply = await find(`${name}.example`);
    expect([reply.status, errorOf(reply).code, chargedOf(reply)]).toEqual([status, code, 0]);
  });

  test.each([
    ['ftp://acme.example', 'bad_parameter', null],
    ['http://acme.example:8080', 'bad_parameter', null],
    ['Acme & Sons', 'bad_parameter', 'q=Acme & Sons'],
    ['127.0.0.1', 'address_not_public', null],
    ['http://[::1]/', 'address_not_public', null],
  ])('%s: %s', async (website, code, suggestion) => {
    const reply = await find(website);
    expect([reply.status, chargedOf(reply)]).toEqual([400, 0]);
    expect(errorOf(reply)).toMatchObject({ code, parameter: 'website', value: website });
    expect(errorOf(reply).suggestion ?? null).toBe(suggestion);
  });
});

describe('a page is read in a thread of its own', () => {
  const isServed = async (host: string) => {
    sites.page(host, pageOf('Served'));
    expect((await find(host)).body).toMatchObject({ Name: 'Served' });
  };

  test('which is not the thread of the service', async () => {
    sites.page('thread.example', PAGES.namesThread);
    const { Title } = (await find('thread.example')).body as { Title: string };
    expect(Title).toMatch(/^thread [1-9]/);
  });

  test('if the thread ends, the call is a free error, and the next one is served', async () => {
    sites.page('ends.example', PAGES.endsThread);
    const failed = await find('ends.example');
    expect([failed.status, errorOf(failed).code, chargedOf(failed)]).toEqual([
      503,
      'unavailable',
      0,
    ]);
    await isServed('after-end.example');
  });

  test('a page that takes too long is a free error, and the next one is served', async () => {
    const usual = pages.pageMsMax;
    pages.pageMsMax = 1;
    sites.page('slow-page.example', PAGES.neverRead);
    const late = await find('slow-page.example');
    pages.pageMsMax = usual;
    expect([late.status, errorOf(late).code, chargedOf(late)]).toEqual([422, 'site_too_large', 0]);
    await isServed('after-slow.example');
  });
});

describe('a look-up that states nothing', () => {
  test('is free and not kept: the site is read again', async () => {
    let requests = 0;
    sites.serve('factless.example', (_, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>nothing');
    });
    for (let call = 0; call < 2; call++) {
      const reply = await find('factless.example');
      expect([reply.status, chargedOf(reply)]).toEqual([422, 0]);
      sites.clock.advance(1_000);
    }
    expect(requests).toBe(2);
  });
});

describe('a look-up that waits for its site', () => {
  /** The first request to a site that does not respond by itself. */
  const requestOf = (host: string) =>
    new Promise<ServerResponse>((resolve) => {
      sites.serve(host, (_, response) => resolve(response));
    });
  const remaining = async () => {
    const { headers } = await api.get('/pricing');
    return Number(headers['x-ratelimit-remaining']);
  };

  test('holds no slot of the database, and another one of the account is rejected', async () => {
    const requested = requestOf('waiting.example');
    const reply = find('waiting.example');
    const response = await requested;
    expect((await api.get('/startups', { $top: '1' })).status).toBe(200);
    const second = await find('widgets-2.example');
    expect([second.status, errorOf(second).code]).toEqual([429, 'too_many_requests']);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf('Waiting'));
    expect((await reply).status).toBe(200);
  });

  test('is cancelled when the client disconnects, and costs nothing', async () => {
    const before = await remaining();
    const requested = requestOf('abandoned.example');
    const client = request(`${api.url}/find?website=abandoned.example`).on('error', () => {});
    client.end();
    const response = await requested;
    const cancelled = once(response, 'close');
    client.destroy();
    await cancelled;
    await eventually(async () => expect(await remaining()).toBe(before));
  });

  test('ends after its time: site_timeout', async () => {
    const impatient = await openApi({
      ...{ url: api.databaseUrl, seed: '' },
      sites: { ...sites.options, timeMsMax: 200 },
    });
    sites.serve('slow.example', () => undefined);
    const reply = await impatient.get('/find', { website: 'slow.example' });
    await impatient.close();
    expect([reply.status, errorOf(reply).code]).toEqual([422, 'site_timeout']);
    expect(chargedOf(reply)).toBe(0);
  });
});

describe('a look-up records an observation of the site of our record', () => {
  const parked = '<title>This domain is for sale</title>';
  const alive = { state: 'alive', post: '2025-01-10' };
  test.each<[string, string, string, object[]]>([
    ['alive', 'alive-1.example', pageOf('A'), [alive]],
    ['alive, by a page', 'alive-2.example/about', pageOf('B'), [alive]],
    ['parked', 'parked-1.example', parked, [{ state: 'parked', post: null }]],
    ['none: a page of it looks parked', 'parked-2.example/page', parked, []],
    ['none: a subdomain', 'blog.other-1.example', pageOf('C'), []],
  ])('%s', async (_, website, html, observed) => {
    const host = website.replace(/^blog\.|\/.*$/g, '');
    const id = await addStartup(`Observed at ${website}`, `https://${host}/`);
    sites.page(website.replace(/\/.*$/, ''), html);
    await find(website);
    expect(await observationsOf(id)).toEqual(
      observed.map((each) => ({ kind: 'site', source: 'find', ...each })),
    );
  });

  test('dead, if its start page is not reachable', async () => {
    const id = await addStartup('Observed as dead', 'https://dead-1.example');
    await find('dead-1.example/missing');
    expect(await observationsOf(id)).toEqual([]);
    await find('dead-1.example');
    expect(await observationsOf(id)).toMatchObject([{ state: 'dead', source: 'find' }]);
  });

  test.each(['www9', 'www'])('none, if %s. before it is not reachable', async (label) => {
    const id = await addStartup(`Alive without ${label}`, `https://${label}-none.example`);
    await find(`${label}.${label}-none.example`);
    expect(await observationsOf(id)).toEqual([]);
  });

  test.each<[number, string, string[]]>([
    [503, 'text/html', []],
    [200, 'application/pdf', ['alive']],
  ])('by status %d with type %s: %j', async (status, type, states) => {
    const host = `checked-${status}.example`;
    const id = await addStartup(host, `https://${host}`);
    sites.serve(host, (_, to) => to.writeHead(status, { 'content-type': type }).end('%PDF'));
    await find(host);
    expect((await observationsOf(id)).map(({ state }) => state)).toEqual(states);
  });
});

describeWithData(
  'a saved page',
  (folder) => {
    test('is read through the whole API', async () => {
      sites.page('teslahunt.io', readFileSync(join(folder, PAGE)));
      const { body } = await find('teslahunt.io/5YJSA7E49JF269238');
      expect(body).toMatchObject({ Name: 'Tesla Hunt', LogoUrl: 'https://teslahunt.io/logo.png' });
    });
  },
  [PAGE],
);
