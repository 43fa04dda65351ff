// Tests docs/spec/find.md 20.5, 20.6.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { closeRedis, createLogger, createRedis } from '@vcds/service-kit';
import { eventually } from '@vcds/test-kit';
import { SiteError } from '../../src/reader/site-error.ts';
import type { SitePage } from '../../src/reader/site-page.ts';
import { HTML, type Sites, startSites } from './support.ts';

let sites: Sites;
beforeAll(async () => {
  sites = await startSites();
});
beforeEach(async () => {
  await sites.redis.flushdb();
  sites.requests.length = 0;
});
afterAll(async () => {
  await sites.stop();
});

const read = (website: string, accountId = 'account', options = {}): Promise<SitePage> =>
  sites.reader(options).readSite({ website: `http://${website}`, accountId });

/** The reason of an error, and the seconds until another attempt. */
async function failureOf(pending: Promise<unknown>): Promise<string> {
  const error = await pending.catch((thrown: unknown) => thrown);
  if (!(error instanceof SiteError)) return 'read';
  const { reason, retryAfterSeconds } = error;
  return retryAfterSeconds === undefined ? reason : `${reason} ${retryAfterSeconds}`;
}

/** Reads pages of one host at once, by two readers; the waits of each, which take no time. */
async function waitsOf(host: string, count: number) {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  const limits = { perAccountMax: 100, inAllMax: 100 };
  const readers = [sites.reader({ sleep, limits }), sites.reader({ sleep, limits })];
  const reads = Array.from({ length: count }, (_, index) =>
    failureOf(
      readers[index % 2]?.readSite({ website: `http://${host}/${index}`, accountId: 'a' }) ??
        Promise.resolve(),
    ),
  );
  const outcomes = (await Promise.all(reads)).sort();
  return { waits: waits.sort((a, b) => a - b), outcomes };
}

describe('robots.txt', () => {
  test('is requested once for a site, by its robot, and followed', async () => {
    const agents: (string | undefined)[] = [];
    sites.site('rules.example', (request, response) => {
      agents.push(request.headers['user-agent']);
      if (request.url === '/robots.txt') response.end('User-agent: VCDS-Bot\nDisallow: /no');
      else response.writeHead(200, HTML).end('<p>');
    });
    const reader = sites.reader();
    const outcomeOf = (path: string) =>
      failureOf(reader.readSite({ website: `http://rules.example${path}`, accountId: 'account' }));
    expect(await outcomeOf('/no')).toBe('site_refused');
    expect(await outcomeOf('/yes')).toBe('read');
    expect(sites.requests.map(({ url }) => url)).toEqual(['/robots.txt', '/yes']);
    expect(new Set(agents)).toEqual(new Set(['VCDS-Bot/2.1 (+https://docs.example/bot)']));
    sites.clock.advance(24 * 3_600_000);
    expect(await outcomeOf('/yes')).toBe('read');
    expect(sites.requests.map(({ url }) => url).slice(2)).toEqual(['/robots.txt', '/yes']);
  });

  test('of the target of a redirect is followed, too', async () => {
    sites.site('from.example', (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(301, { location: 'http://to.example/in' }).end();
    });
    sites.page('to.example', '<p>', HTML, 'User-agent: *\nDisallow: /in');
    expect(await failureOf(read('from.example'))).toBe('site_refused');
    expect(sites.pagesOf('to.example')).toEqual([]);
  });

  test.each([
    [401, 'read'],
    [403, 'read'],
    [404, 'read'],
    [429, 'site_refused'],
    [500, 'site_refused'],
    [503, 'site_refused'],
  ])('with status %d: %s', async (status, outcome) => {
    sites.site('status.example', (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(status).end('User-agent: *\nAllow: /');
      else response.writeHead(200, HTML).end('<p>');
    });
    expect(await failureOf(read('status.example'))).toBe(outcome);
  });

  test('may be a redirect; one without end allows everything', async () => {
    sites.site('moved.example', (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(302, { location: '/r' }).end();
      else if (request.url === '/r') response.end('User-agent: *\nDisallow: /');
    });
    sites.site('endless.example', (request, response) => {
      const isRobots = request.url === '/robots.txt';
      response.writeHead(isRobots ? 302 : 200, { ...HTML, location: '/robots.txt' }).end('<p>');
    });
    expect(await failureOf(read('moved.example'))).toBe('site_refused');
    expect(await failureOf(read('endless.example'))).toBe('read');
  });

  test('that is too large allows nothing', async () => {
    sites.page('large.example', '<p>', HTML, '#'.repeat(3 * 2 ** 20));
    expect(await failureOf(read('large.example'))).toBe('site_refused');
    expect(sites.pagesOf('large.example')).toEqual([]);
  });
});

describe('requests to one host', () => {
  test('are a second apart, for all readers together, and not delayed beyond five', async () => {
    sites.page('paced.example', '<p>');
    const { waits, outcomes } = await waitsOf('paced.example', 8);
    expect(waits).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
    expect(outcomes).toEqual([
      ...Array(6).fill('read'),
      'too_many_requests 6',
      'too_many_requests 6',
    ]);
    expect(sites.pagesOf('paced.example')).toHaveLength(6);
  });

  test.each([
    ['3', [3_000], 3],
    ['0.1', [1_000, 2_000, 3_000], 4],
    ['3600', [5_000], 2],
  ])('follow Crawl-delay: %s', async (seconds, expected, count) => {
    sites.page('delay.example', '<p>', HTML, `User-agent: *\nCrawl-delay: ${seconds}`);
    expect((await waitsOf('delay.example', count)).waits).toEqual(expected);
  });

  test('of a redirect wait as well', async () => {
    sites.site('hops.example', (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else if (request.url === '/') response.writeHead(302, { location: '/home' }).end();
      else response.writeHead(200, HTML).end('<p>');
    });
    await read('hops.example');
    const [first, second] = sites.pagesOf('hops.example');
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBe(1_000);
  });

  test('do not wait for a clock that was set back', async () => {
    sites.page('back.example', '<p>');
    await read('back.example/1');
    sites.clock.setWall('2024-01-01T00:00:00Z');
    expect(await failureOf(read('back.example/2'))).toBe('read');
  });

  test('to other hosts do not wait', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) sites.page(`${name}.example`, '<p>');
    const before = sites.clock.wallMs();
    await Promise.all(names.map((name) => read(`${name}.example`)));
    expect(sites.clock.wallMs()).toBe(before);
  });
});

describe('concurrent reads', () => {
  const limits = { perAccountMax: 2, inAllMax: 3 };

  /** Starts reads of sites that respond only when they are released. */
  async function hold(accounts: readonly string[]) {
    const responses: (() => void)[] = [];
    const reads = accounts.map((account, index) => {
      sites.site(`held-${index}.example`, (request, response) => {
        if (request.url === '/robots.txt') response.writeHead(404).end();
        else responses.push(() => response.writeHead(200, HTML).end('<p>'));
      });
      return read(`held-${index}.example`, account, { limits });
    });
    await eventually(() => responses.length === accounts.length);
    return async (): Promise<void> => {
      for (const respond of responses) respond();
      await Promise.all(reads);
    };
  }

  test('of an account are limited, and others may still read', async () => {
    sites.page('more.example', '<p>');
    const release = await hold(['a', 'a']);
    expect(await failureOf(read('more.example', 'a', { limits }))).toBe('too_many_requests 1');
    expect(await failureOf(read('more.example', 'b', { limits }))).toBe('read');
    await release();
    sites.page('later.example', '<p>');
    expect(await failureOf(read('later.example', 'a', { limits }))).toBe('read');
  });

  test('of all accounts are limited', async () => {
    sites.page('more.example', '<p>');
    const release = await hold(['a', 'b', 'c']);
    expect(await failureOf(read('more.example', 'd', { limits }))).toBe('too_many_requests 1');
    await release();
    expect(await failureOf(read('more.example', 'd', { limits }))).toBe('read');
  });

  test('of a process that has exited count until their leases expire', async () => {
    sites.page('more.example', '<p>');
    const release = await hold(['a', 'a']);
    const leases = await sites.redis.zrange('sites:leases', '0', '-1');
    await release();
    expect(await sites.redis.zcard('sites:leases')).toBe(0);
    for (const lease of leases) {
      await sites.redis.zadd('sites:leases', String(sites.clock.wallMs() + 15_000), lease);
    }
    expect(await failureOf(read('more.example', 'a', { limits }))).toBe('too_many_requests 1');
    sites.clock.advance(15_000);
    expect(await failureOf(read('more.example', 'a', { limits }))).toBe('read');
  });

  test('never exceed the limit, however many begin at once', async () => {
    let [running, most] = [0, 0];
    for (let index = 0; index < 12; index += 1) {
      sites.site(`crowd-${index}.example`, (request, response) => {
        if (request.url === '/robots.txt') return response.writeHead(404).end();
        running += 1;
        most = Math.max(most, running);
        return setImmediate(() => {
          running -= 1;
          response.writeHead(200, HTML).end('<p>');
        });
      });
    }
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        failureOf(read(`crowd-${index}.example`, `account-${index}`, { limits })),
      ),
    );
    expect(most).toBeLessThanOrEqual(3);
    expect(outcomes.filter((outcome) => outcome === 'read').length).toBeGreaterThanOrEqual(3);
    expect(new Set(outcomes)).toEqual(new Set(['read', 'too_many_requests 1']));
  });
});

describe('without Redis', () => {
  test('no site is read', async () => {
    const logger = createLogger({ service: 'test', sink: { write: () => undefined } });
    const redis = createRedis({ url: 'redis://127.0.0.1:1', name: 'test', logger });
    sites.page('polite.example', '<p>');
    try {
      expect(await failureOf(read('polite.example', 'a', { redis }))).toBe('unavailable 5');
      expect(sites.requests).toEqual([]);
    } finally {
      await closeRedis(redis);
    }
  });
});

test('a read leaves no key in Redis without an end, and no page', async () => {
  sites.page('ends.example', `<p>${'noise'.repeat(1_000)}`);
  await read('ends.example');
  const keys = await sites.redis.keys('*');
  expect(keys).toEqual(['sites:pace:ends.example']);
  expect(await sites.redis.pttl('sites:pace:ends.example')).toBeGreaterThan(0);
});
