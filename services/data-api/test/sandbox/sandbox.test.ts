// Tests docs/spec/sandbox.md 29.1, 29.2, 29.3, 29.4, 29.5, 29.6.
// The suite of a connector: only HTTP, on any sandbox (VCDS_SANDBOX_URL), else on one that it starts. At its end,
// how a sandbox is built.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@vcds/client';
import { folderReplica } from '@vcds/client/node';
import { ERROR_MEANINGS, ERRORS, type ErrorCode } from '@vcds/service-kit/api-errors';
import { closedAfterAll, testFolder } from '@vcds/test-kit';
import { sandboxDatabase } from '../../src/sandbox-data/databases.ts';
import { openStores } from './support/open-sandbox.ts';

const LARKMOOR = 'dc4d28e3-97e3-57e6-a208-978476e2382e';
const COLLECTIONS = {
  ...{ startups: '/startups', funds: '/funds', fundingrounds: '/startups/fundingrounds' },
  ...{ postvaluations: '/startups/postvaluations', persons: '/persons', news: '/news' },
};
const LAST = 6;

const { database, onServer, build, start } = await closedAfterAll(openStores());
const outcomeOf = (work: Promise<unknown>) => work.catch(({ message }: Error) => message);
/** The outcomes of a start and a build before there is a sandbox, and of two builds of it. */
const built: Record<'early' | 'foreign' | 'stopped' | 'complete', unknown> = {
  ...{ early: '', foreign: '', stopped: '', complete: '' },
};
let base = process.env.VCDS_SANDBOX_URL ?? '';

beforeAll(async () => {
  const [first, second] = [0, 1].map((step) => `"${sandboxDatabase(database.url, step)}"`);
  built.early = await outcomeOf(start());
  await onServer(`CREATE DATABASE ${second}`);
  built.foreign = await outcomeOf(build());
  await onServer(`DROP DATABASE ${second}`);
  await onServer(`CREATE DATABASE ${first}`);
  await onServer(`COMMENT ON DATABASE ${first} IS 'vcds sandbox unfinished'`);
  built.stopped = await outcomeOf(build());
  built.complete = await outcomeOf(build());
  if (base !== '') return;
  const service = await start();
  base = `http://127.0.0.1:${service.ports.public}/v2`;
  await closedAfterAll({ close: () => service.stop() });
}, 180_000);

type Json = Record<string, unknown>;
type Headers = Readonly<Record<string, string>>;

async function call(path: string, headers: Headers = {}, method = 'GET') {
  const url = path.startsWith('http') ? path : `${base}${path}`;
  const response = await fetch(url, { method, headers });
  const text = await response.text();
  const body: Json | Json[] = text === '' ? {} : JSON.parse(text);
  return { status: response.status, headers: response.headers, ...bodyOf(body) };
}

/** A response is an object or an array of records. */
const bodyOf = (answer: Json | Json[]) =>
  Array.isArray(answer) ? { body: {} as Json, rows: answer } : { body: answer, rows: undefined };

function rowsOf({ rows, body }: { readonly rows?: Json[] | undefined; readonly body: Json }) {
  if (rows === undefined) throw new Error(`no array: ${JSON.stringify(body)}`);
  return rows;
}

let runs = 0;
/** A key of its own. */
const newRun = () => {
  runs += 1;
  const key = { 'X-Api-Key': `connector-${process.pid}-${Date.now()}-${runs}` };
  const list = async (path: string) => rowsOf(await call(path, key));
  return {
    key,
    list,
    get: (path: string, headers: Headers = {}) => call(path, { ...key, ...headers }),
    advance: (to?: number) => call(`/sandbox/advance${to ? `?to=${to}` : ''}`, key, 'POST'),
    reset: () => call('/sandbox/reset', key, 'POST'),
  };
};

/** All records of a page and those after it, by the Link header. */
async function followed(path: string, headers: Headers, between: () => Promise<unknown>) {
  const records: Json[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page = await call(next, headers);
    records.push(...rowsOf(page));
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    if (next !== undefined) await between();
  }
  return records;
}

describe('a caller of the sandbox', () => {
  test.each([
    ['no key', {}],
    ['a text in X-Api-Key', { 'X-Api-Key': 'anything' }],
    ['a text as Bearer', { Authorization: 'Bearer anything' }],
  ])('with %s has every right, and pays nothing', async (_, headers) => {
    const { status, headers: got } = await call('/startups?$top=1000', headers);
    expect(status).toBe(200);
    expect(got.get('x-credits-charged')).toBe('0');
    expect(got.get('x-ratelimit-remaining')).toBe(got.get('x-ratelimit-limit'));
  });

  test('with a text that can be no key is 401', async () => {
    const { status, body } = await call('/startups', { 'X-Api-Key': 'x'.repeat(600) });
    expect([status, (body.error as Json).reason]).toEqual([401, 'malformed']);
  });

  test('has the prices of the product: in quotes, limits and HEAD', async () => {
    const quoted = await call('/startups?$top=40&quote=true');
    expect((quoted.body.quote as Json).credits_max).toBe(40);
    const limited = await call('/startups?$top=40', { 'X-Credits-Max': '39' });
    expect((limited.body.error as Json).code).toBe('price_above_limit');
    const head = await call('/startups?$top=40', {}, 'HEAD');
    expect(head.headers.get('x-credits-max-price')).toBe('40');
  });

  test('repeats a call with its idempotency key, and no other call', async () => {
    const { get } = newRun();
    const once = { 'Idempotency-Key': `once-${Date.now()}` };
    expect((await get('/news', once)).headers.get('idempotent-replayed')).toBeNull();
    expect((await get('/news', once)).headers.get('idempotent-replayed')).toBe('true');
    expect((await get('/persons', once)).status).toBe(422);
  });

  test('finds the same facts of the sites of its companies, and reads no other site', async () => {
    const found = await call('/find?q=Iskambia%20Analytics');
    expect(found.body).toMatchObject({ Name: 'Iskambia Analytics', FoundedYear: 2020 });
    const other = await call('/find?website=example.com');
    expect((other.body.error as Json).code).toBe('site_unreachable');
  });
});

describe('the day', () => {
  test('adds a record with a known id, facts and time stamps', async () => {
    const { advance, list } = newRun();
    const path = "/startups?$filter=Name like 'Larkmoor%25'&$select=Id,City,Name,UpdatedTimeStamp";
    expect(await list(path)).toEqual([]);
    await advance();
    const [added] = await list(path);
    expect(added).toEqual({
      ...{ Id: LARKMOOR, City: ['Leeds'], Name: 'Larkmoor Robotics' },
      UpdatedTimeStamp: '2026-01-01T10:00:00.000Z',
    });
    await advance(3);
    expect(await list(path)).toMatchObject([{ Name: 'Larkmoor Robots', City: ['York'] }]);
  });

  test('is that of one key, whatever others do', async () => {
    const [one, other] = [newRun(), newRun()];
    await one.advance(2);
    expect((await one.get('/startups')).headers.get('x-sandbox-step')).toBe('2');
    expect((await other.get('/startups')).headers.get('x-sandbox-step')).toBe('0');
    expect((await call('/startups')).headers.get('x-sandbox-step')).toBe('0');
    await one.reset();
    expect((await one.get('/sandbox')).body).toMatchObject({ step: 0, isLast: false });
    const pinned = await one.get('/sandbox', { 'X-Sandbox-Step': '5' });
    expect(pinned.status).toBe(200);
    expect((await one.get('/news', { 'X-Sandbox-Step': '5' })).headers.get('x-sandbox-step')).toBe(
      '5',
    );
  });

  test('goes to its end, and not back or further', async () => {
    const { advance } = newRun();
    for (let step = 1; step <= LAST; step++) expect((await advance()).body.step).toBe(step);
    expect((await advance()).status).toBe(400);
    expect((await advance(2)).status).toBe(400);
    expect((await call('/sandbox/advance', {}, 'POST')).status).toBe(400);
  });

  test('read by UpdatedTimeStamp has each changed record once, although pages have ties', async () => {
    const { advance, key } = newRun();
    await advance(3);
    const since = '2026-01-01T12:00:00Z';
    await advance(4);
    const path = `/startups?$top=25&$orderby=UpdatedTimeStamp&$filter=UpdatedTimeStamp gt ${since}`;
    const records = await followed(path, key, async () => undefined);
    const ids = records.map(({ Id }) => Id);
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
    expect(new Set(records.map(({ UpdatedTimeStamp }) => UpdatedTimeStamp)).size).toBe(1);
  });

  test('deletes a company with what belongs to it, and restores it', async () => {
    const { advance, list, get } = newRun();
    await advance(4);
    const [gone] = await list("/startups?$filter=Name eq 'Fenerlune Flow'");
    const rounds = await list(`/startups/${String(gone?.Id)}/fundingrounds`);
    expect(rounds).toHaveLength(3);
    await advance();
    expect((await get(`/startups/${String(gone?.Id)}`)).status).toBe(404);
    await advance();
    expect(await list(`/startups/${String(gone?.Id)}/fundingrounds`)).toHaveLength(3);
  });

  test('arrives in /signals in order, once, at every step', async () => {
    const { advance, get } = newRun();
    const types: string[][] = [];
    let cursor: unknown;
    for (let step = 0; step <= LAST; step++) {
      if (step > 0) await advance();
      const found: string[] = [];
      for (let hasMore = true; hasMore; ) {
        const after = cursor === undefined ? '' : `&cursor=${String(cursor)}`;
        const { body } = await get(`/signals?order=asc&limit=200${after}`);
        found.push(...(body.signals as Json[]).map(({ type }) => String(type)));
        ({ nextCursor: cursor } = body);
        hasMore = body.hasMore === true;
      }
      types.push(found.sort());
    }
    expect(types.slice(1, 4)).toEqual([
      ['news.mention', 'round.recorded', 'startup.added'],
      ['investor.joined_round', 'portfolio.company_added', 'valuation.recorded'],
      ['round.updated', 'startup.updated'],
    ]);
    expect(types[4]).toHaveLength(60);
  });

  test('arrives in /changes: a copy is equal at every step, from the first entry and from the snapshot', async () => {
    const run = newRun();
    const client = createClient({ baseUrl: base, apiKey: run.key['X-Api-Key'] });
    const folder = folderReplica(await testFolder('vcds-connector-'));
    const copy = new Map<string, unknown>();
    let cursor: string | undefined;
    for (let step = 0; step <= LAST; step++) {
      if (step > 0) await run.advance();
      for (let hasMore = true; hasMore; ) {
        const after = cursor === undefined ? '' : `&cursor=${cursor}`;
        const { body } = await run.get(`/changes?include=record&limit=1000${after}`);
        for (const { collection, recordId, record } of body.changes as Json[]) {
          const id = `${String(collection)}/${String(recordId)}`;
          if (record === null) copy.delete(id);
          else copy.set(id, record);
        }
        cursor = String(body.nextCursor);
        hasMore = body.hasMore === true;
      }
      for (const [name, path] of Object.entries(COLLECTIONS)) {
        const records = await followed(`${path}?$top=5000`, run.key, async () => undefined);
        const copied = [...copy].filter(([id]) => id.startsWith(`${name}/`));
        expect(new Map(copied.map(([, record]) => [(record as Json).Id, record]))).toEqual(
          new Map(records.map((record) => [record.Id, record])),
        );
      }
      const { loaded, changes } = await client.replicate({ store: folder, stopWhenCaughtUp: true });
      expect(loaded === null).toBe(step > 0);
      expect(changes > 0).toBe(step > 0);
    }
  }, 60_000);
});

describe('an error on demand', () => {
  const CODES: (readonly [string, number])[] = Object.keys(ERROR_MEANINGS).map((code) => [
    code,
    ERRORS[code as ErrorCode],
  ]);

  test.each(CODES)('%s is answered as in production, and free', async (code, status) => {
    const { body, headers, status: got } = await call('/startups', { 'X-Sandbox-Error': code });
    const error = body.error as Json;
    expect([got, error.code, error.status]).toEqual([status, code, status]);
    expect(headers.get('x-credits-charged') ?? '0').toBe('0');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const retryAfter = headers.get('retry-after');
    if (status >= 500) expect(retryAfter).toBe('30');
    if (status === 405) expect(headers.get('allow')).toContain('GET');
    if (code === 'unauthorized') expect(headers.get('www-authenticate')).toContain('Bearer');
    if (code === 'credits_exhausted') {
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(body).toMatchObject({ credits: { remaining: 0, required: 25 } });
    }
    if (code === 'too_many_requests') expect(retryAfter).toBe('1');
    if (code === 'too_many_attempts') expect(retryAfter).toBeNull();
  });

  test('that does not exist is 400, with all codes', async () => {
    const { status, body } = await call('/startups', { 'X-Sandbox-Error': 'out_of_cheese' });
    expect([status, (body.error as Json).parameter]).toEqual([400, 'X-Sandbox-Error']);
    expect(body.errors).toEqual(CODES.map(([code]) => code).sort());
  });

  test('reaches the call of a tool of /mcp', async () => {
    const response = await fetch(base.replace(/\/v2$/, '/mcp'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Sandbox-Error': 'credits_exhausted' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'find_company', arguments: { name: 'larkmoor' } },
      }),
    });
    expect(await response.text()).toContain('credits_exhausted');
  });
});

test.each(['-1', '7', 'x'])('X-Sandbox-Step: %s is 400', async (step) => {
  expect((await call('/startups', { 'X-Sandbox-Step': step })).status).toBe(400);
});

test('data-api does not start as a sandbox before its databases are built', () => {
  expect(built.early).toContain('npm run sandbox');
});

test('a database that the sandbox did not make is never replaced', () => {
  expect(built.foreign).toContain('is not one of the sandbox');
});

test('a build that was stopped begins again, a complete one changes nothing', () => {
  expect(built).toMatchObject({ stopped: true, complete: false });
});

test('neither is built nor served beside records of a source', async () => {
  await onServer(
    "INSERT INTO venture.fund (id, name, source, source_key) VALUES (gen_random_uuid(), 'A', 'crm', '1')",
  );
  await expect(build()).rejects.toThrow('not invented');
  await expect(start()).rejects.toThrow('not invented');
});
