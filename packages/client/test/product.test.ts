import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import {
  createAccessClient,
  createClient,
  type FeedStore,
  filter,
  memoryStore,
  type ResponseEvent,
  VcdsError,
} from '@vcds/client';
import { fileStore } from '@vcds/client/node';
import {
  closedAfterAll,
  describeWithBrowser,
  eventually,
  runs,
  startProduct,
} from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { README_INPUTS, readmeModule } from './readme.ts';

const STARTUPS = 30;

const product = await startProduct({
  programs: ['access-api', 'worker', 'data-api', 'data-worker'],
});
const sql = new pg.Client(product.database.url);
const folder = await mkdtemp(join(tmpdir(), 'vcds-client-'));
await closedAfterAll({
  close: async () => {
    await sql.end();
    await rm(folder, { recursive: true });
    await product.close();
  },
});
await sql.connect();
await addStartups(1, STARTUPS);

const [{ keys }] = await product.issue({ plan: 'scale', keys: [{}] });
const events: ResponseEvent[] = [];
const options = {
  apiKey: keys[0]?.apiKey ?? '',
  baseUrl: `${product.dataUrl}/v2`,
  onResponse: (event: ResponseEvent) => events.push(event),
};
const client = createClient(options);

const signals = client.signals.list({ types: ['startup.added'], limit: 7 });
await eventually(async () => (await signals.toArray()).length === STARTUPS);

/** Startups with a signal each. */
async function addStartups(from: number, to: number): Promise<void> {
  await sql.query(
    `INSERT INTO venture.startup (id, name, tags, addresses, founded, source)
     SELECT md5('s' || i)::uuid, 'O''Neil & Co. ' || i, '{Fintech}',
       '[{"City": "Paris", "Country": "France"}]', 2014 + i % 5, 'test'
     FROM generate_series($1::int, $2::int) AS i`,
    [from, to],
  );
}

/** The calls that an action makes. */
async function callsOf(action: () => Promise<unknown>): Promise<ResponseEvent[]> {
  const before = events.length;
  await action();
  return events.slice(before);
}

const errorOf = (call: Promise<unknown>): Promise<VcdsError> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error) => (error instanceof VcdsError ? error : Promise.reject(error)),
  );

test('an address becomes a key, and the key reads data', async () => {
  const access = createAccessClient({ authUrl: `${product.accessUrl}/api/v1` });
  const email = 'reader@client.example';
  const { data: registered } = await access.register(email);
  const request_id = registered.request_id ?? '';
  expect((await access.status(request_id)).data).toEqual({ status: 'pending' });
  const code = /\b\d{6}\b/.exec((await product.mailTo(email)).text)?.[0] ?? '';
  const wrong = await errorOf(access.verify({ code: code === '000000' ? '1' : '000000', email }));
  expect(wrong).toMatchObject({ status: 401, code: 'wrong_code', attemptsLeft: 4 });
  const { data } = await access.verify({ code, request_id });
  expect((await access.status(request_id)).data).toEqual({ status: 'completed' });

  const reader = createClient({ apiKey: data.api_key, baseUrl: options.baseUrl });
  const { credits } = await reader.startups.count();
  expect(credits).toMatchObject({ charged: 1, limit: 500, remaining: 499 });
  expect((await access.usage(data.api_key)).data).toMatchObject({ limit: 500, remaining: 499 });
  expect(reader.credits).toEqual({ ...credits, charged: undefined, spent: 1, responses: 1 });
});

test('the examples of the README run', async () => {
  const modules = join(folder, 'node_modules/@vcds');
  await mkdir(modules, { recursive: true });
  await symlink(fileURLToPath(new URL('..', import.meta.url)), join(modules, 'client'));
  const [first] = await client.startups.list({ max: 1 }).toArray();
  const inputs = {
    ...{ apiKey: options.apiKey, baseUrl: options.baseUrl, id: first?.Id },
    ...{ authUrl: `${product.accessUrl}/api/v1`, email: 'example@client.example' },
  };
  const given = README_INPUTS.map((name) => `const ${name} = ${JSON.stringify(inputs[name])};\n`);
  await writeFile(join(folder, 'readme.mjs'), given.join('') + readmeModule());
  const { stdout } = await promisify(execFile)('node', ['readme.mjs'], { cwd: folder });
  expect(stdout).toContain("O'Neil & Co. 7 null");
  expect(stdout).toMatch(/^unknown_field Country http/m);
});

describe('a list', () => {
  test('has the same records with pages of any size, from any start, up to any bound', async () => {
    const { data: whole } = await client.get('/startups', { $orderby: 'Name desc', $top: 5000 });
    expect(whole).toHaveLength(STARTUPS);
    const size = fc.integer({ min: 1, max: STARTUPS + 2 });
    await fc.assert(
      fc.asyncProperty(size, fc.nat(STARTUPS + 2), size, async (top, skip, max) => {
        const rows = await client.startups.list({ orderby: 'Name desc', top, skip, max }).toArray();
        expect(rows).toEqual(whole.slice(skip, skip + max));
      }),
      runs(4, 200),
    );
  });

  test('requests a page when its first record is asked for, and no larger than its bound', async () => {
    const first = client.startups.list({ top: 2 });
    const calls = await callsOf(async () => {
      for await (const _ of first) break;
    });
    expect(calls).toHaveLength(1);
    const bounded = client.startups.list({ top: 4, max: 6, select: ['Name'] });
    const pages = await callsOf(() => bounded.toArray());
    expect(pages.map(({ credits }) => credits.charged)).toEqual([4, 2]);
  });

  test('continues where the query is too long for a link', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `O'Neil & Co. ${index}`);
    const long = client.startups.list({ filter: filter`Name in ${names}`, top: 12 });
    const calls = await callsOf(async () => expect(await long.toArray()).toHaveLength(STARTUPS));
    expect(calls).toHaveLength(3);
  });

  test('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      for await (const _ of client.startups.list({ signal: stop.signal })) stop.abort('enough');
    };
    await expect(read()).rejects.toBe('enough');
  });

  test('of signals, values and the records of a value has pages too', async () => {
    const all = await signals.toArray();
    expect(new Set(all.map(({ id }) => id)).size).toBe(STARTUPS);
    const years = client.categories.values('founded_year', { top: 2, country: ['France'] });
    expect(await eventually(async () => (await years.toArray()).length === 5)).toBe(true);
    const narrowed = client.categories.of('startups', 'industry', ['Fintech'], { city: 'Paris' });
    expect(await narrowed.list({ top: 20 }).toArray()).toHaveLength(STARTUPS);
    expect((await narrowed.count(filter`Founded eq ${2015}`)).data).toBe(STARTUPS / 5);
  });
});

test('a record has the selected fields and the expanded relations', async () => {
  const match = await client.startups.search({ q: "O'Neil & Co. 7", top: 1 });
  const id = match.data[0]?.Id ?? '';
  const { data, credits } = await client.startups.get(id, {
    select: ['Name', 'Founded'],
    expand: ['FundingRounds'],
  });
  expect(data).toEqual({ Name: "O'Neil & Co. 7", Founded: 2016, FundingRounds: [] });
  expect(credits.charged).toBe(2);
});

test('a price is known before a call, and bounded', async () => {
  const quote = await client.quote('/startups', { $top: 20, $expand: ['Funds'] });
  expect(quote).toMatchObject({
    data: { credits_max: 25, credits_min: 1 },
    credits: { charged: 0 },
  });
  const error = await errorOf(client.get('/startups', { $top: 20 }, { creditsMax: 5 }));
  expect(error).toMatchObject({ code: 'price_above_limit', quote: { credits_max: 20 } });
  expect(error.actions).toContainEqual({ type: 'reduce_page_size', parameter: '$top', max: 5 });
});

test('a response is CSV on request', async () => {
  const csv = await client.csv('/startups', { $select: ['Name', 'Founded'], $top: 2 });
  expect(csv.data).toMatch(/^Name,Founded\r\n(.*,\d*\r\n){2}$/);
  expect([csv.credits.charged, csv.next]).toEqual([2, expect.stringContaining('skiptoken')]);
});

test('an error says how to correct the call', async () => {
  const error = await errorOf(client.rounds.count("Satge eq 'Series A'"));
  expect(error).toMatchObject({ code: 'unknown_field', suggestion: 'Stage', position: 0 });
  expect(error.see).toContain('/v2');
  const unknown = createClient({ ...options, apiKey: 'pk_live_x' });
  expect(await errorOf(unknown.news.count())).toMatchObject({ status: 401, reason: 'malformed' });
});

describe('the feed', () => {
  const since = '2020-01-01';
  const intervalMs = 1_000;

  test('gives each signal once, however often and wherever a loop is stopped', async () => {
    const stops = fc.array(fc.nat(12), { minLength: 1, maxLength: 6 });
    const limit = fc.integer({ min: 1, max: STARTUPS });
    const { data: whole } = await client.get('/signals', { order: 'asc', since, limit: 200 });
    await fc.assert(
      fc.asyncProperty(stops, limit, async (counts, limit) => {
        const store = memoryStore();
        const received: string[] = [];
        for (const count of [...counts, Number.POSITIVE_INFINITY]) {
          const stop = new AbortController();
          const run = { since, limit, store, signal: stop.signal, stopWhenCaughtUp: true };
          let left = count;
          if (left === 0) stop.abort();
          for await (const { id } of client.follow(run)) {
            received.push(id);
            left -= 1;
            if (left <= 0) stop.abort();
          }
        }
        expect(received).toEqual(whole.signals.map(({ id }) => id));
      }),
      runs(4, 200),
    );
  });

  test('gives a signal again that a loop left unhandled, unless its position was saved', async () => {
    const store = fileStore(join(folder, 'feed.json'));
    const receive = async (
      handle: (id: string, save: () => Promise<void>) => void | Promise<void>,
    ) => {
      const feed = client.follow({ since, store, limit: 3, stopWhenCaughtUp: true });
      for await (const { id } of feed) {
        await handle(id, async () => feed.position && store.save(feed.position));
        return id;
      }
      return undefined;
    };
    const failing = receive(() => Promise.reject(new Error('not handled')));
    await expect(failing).rejects.toThrow('not handled');
    const first = await receive(() => undefined);
    expect(await receive((_, save) => save())).toBe(first);
    expect(await receive(() => undefined)).not.toBe(first);
  });

  test('polls after its interval, also across restarts, and ends by its signal', async () => {
    let nowMs = Date.parse('2030-01-01');
    const slept: number[] = [];
    const stop = new AbortController();
    const store: FeedStore = memoryStore();
    const following = createClient({
      ...options,
      now: () => nowMs,
      sleep: async (ms) => {
        slept.push(ms);
        nowMs += ms;
        if (slept.length === 2) await addStartups(STARTUPS + 1, STARTUPS + 1);
        if (slept.length > 2) stop.abort();
        stop.signal.throwIfAborted();
      },
    });
    const received: string[] = [];
    for (const run of [{ stopWhenCaughtUp: true }, { signal: stop.signal }]) {
      nowMs += 60_000;
      const feed = following.follow({ types: ['startup.added'], since, store, ...run });
      for await (const { subject } of feed) received.push(subject.id);
    }
    expect(slept.slice(0, 2)).toEqual([3_540_000, 3_600_000]);
    expect(received.length).toBeGreaterThanOrEqual(STARTUPS);
    expect(() => client.follow({ intervalMs: intervalMs - 1 })).toThrow(RangeError);
  });

  test('begins now, and not later after a restart', async () => {
    const store = memoryStore();
    const stop = AbortSignal.abort();
    for await (const _ of client.follow({ store, signal: stop })) throw new Error('not aborted');
    const begun = await store.load();
    expect(Date.parse(begun?.since ?? '')).toBeGreaterThan(Date.parse('2026-01-01'));
    for await (const _ of client.follow({ store, signal: stop })) throw new Error('not aborted');
    expect(await store.load()).toEqual(begun);
  });
});

describeWithBrowser('a browser', (executablePath) => {
  test('lists, counts and reads errors and credits with the built modules', async () => {
    const server = createServer(async ({ url = '' }, response) => {
      const isModule = url.endsWith('.js');
      response.setHeader('Content-Type', isModule ? 'text/javascript' : 'text/html');
      response.end(isModule ? await readFile(new URL(`../dist${url}`, import.meta.url)) : '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // In a container the kernel may offer no sandbox; the page is our own.
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const seen = await page.evaluate(
        async ({ apiKey, baseUrl }) => {
          const path = '/index.js';
          const { createClient: open, VcdsError: Failure } = await import(path);
          const inPage = open({ apiKey, baseUrl, creditsMax: 9 });
          const names: string[] = [];
          for await (const { Name } of inPage.startups.list({ top: 2, max: 3 })) names.push(Name);
          const error = await inPage.news.count('Titel').catch((reason: unknown) => reason);
          const { code, requestId } = error instanceof Failure ? error : {};
          return { names: names.length, code, requestId, spent: inPage.credits.spent };
        },
        { apiKey: options.apiKey, baseUrl: options.baseUrl },
      );
      expect(seen).toEqual({
        ...{ names: 3, code: 'bad_filter', requestId: expect.any(String), spent: 3 },
      });
    } finally {
      await browser.close();
      server.close();
    }
  });
});
