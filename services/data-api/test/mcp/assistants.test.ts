// Tests docs/spec/assistants.md 18.1, 18.3, 18.4, 18.5, 18.7.

import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import {
  closedAfterAll,
  eventually,
  type IssuedAccount,
  openedPerSuite,
  runs,
} from '@vcds/test-kit';
import fc from 'fast-check';
import { CATALOGUE } from '../../../../packages/mcp/src/catalogue.ts';
import { trainMatching } from '../../src/worker/train/train.ts';
import { openStack, sumOf } from '../credits/support/stack.ts';
import { startSites } from '../find/support/sites.ts';
import { publishOutbox } from '../support/publish.ts';
import { CALLS, EVERY_RELATION, FUND, STARTUP } from './calls.ts';
import { call, connect, httpTransport, postMessage, stdioTransport, toolCall } from './support.ts';

const stack = await closedAfterAll(openStack());
const sites = await closedAfterAll(startSites());
sites.page('tools.example', '<title>Tools</title>');
const { address, port } = sites.options.testAddress;
await trainMatching({ pool: stack.sql, nowMs: Date.now(), hasBackTest: false });
const api = await stack.dataApi({}, { OUTBOUND_TEST_ADDRESS: `${address}:${port}` });
const [paid, free, narrowed, gone] = await stack.issue(
  { plan: 'scale', keys: [{}] },
  { plan: 'free', keys: [{}] },
  { plan: 'starter', keys: [{ scopes: ['news', 'people'] }] },
  { plan: 'starter', keys: [{}] },
);
const keyOf = ({ keys }: IssuedAccount): string => keys[0]?.apiKey ?? '';
const overHttp = (key: string, headers: Record<string, string> = {}) =>
  httpTransport(api.url, { Authorization: `Bearer ${key}`, ...headers });
const overStdio = (key: string) => stdioTransport(api.url, key);

const remaining = async (account: IssuedAccount) =>
  (await api.get(keyOf(account), '/pricing')).remaining ?? Number.NaN;

beforeAll(async () => {
  await publishOutbox(stack.sql);
  await eventually(async () => {
    const { body } = await api.get(keyOf(gone), '/signals?limit=20');
    return (body as { signals: unknown[] }).signals.length === 20;
  });
});

describe.each([
  ['HTTP, the protocol of 2026', () => connect(overHttp(keyOf(paid)))],
  ['HTTP, with the handshake', () => connect(overHttp(keyOf(paid)), 'legacy')],
  ['stdio, with the handshake', () => connect(overStdio(keyOf(paid)), 'legacy')],
])('over %s', (_, open) => {
  const client = openedPerSuite(open);

  test('lists its tools, instructions and schemas', async () => {
    const { tools } = await client.listTools();
    expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(CALLS.map(([name]) => name)));
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const open = tools.filter(({ annotations }) => annotations?.openWorldHint === true);
    expect(open.map(({ name }) => name)).toEqual(['read_site']);
    expect(client.getInstructions()).toContain('cost credits');
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(contents).toEqual([expect.objectContaining({ uri: 'vcds://schema/startups' })]);
  });

  test('every tool answers by its schema, and costs what it says', async () => {
    // The client has the schemas, and rejects an answer that does not match.
    await client.listTools();
    for (const [name, args, cost] of CALLS) {
      const before = await remaining(paid);
      const { body, isError, structuredContent } = await call(client, name, args);
      expect([name, args, isError, body.error]).toEqual([name, args, false, undefined]);
      expect(structuredContent).toEqual(body);
      expect([name, args, before - (await remaining(paid))]).toEqual([name, args, cost]);
      if (name === 'describe_data') continue;
      expect(body.credits).toMatchObject({ charged: cost, remaining: before - cost });
    }
  });

  test('an unknown tool is an error of the protocol', async () => {
    await expect(client.callTool({ name: 'sum', arguments: {} })).rejects.toThrow(/sum not found/);
  });
});

test('a list is matched in its order, by the refs of the caller or by numbers', async () => {
  const client = await connect(overHttp(keyOf(paid)));
  const of = async (...companies: readonly object[]) =>
    (await call(client, 'match_companies', { companies })).body.results;
  const fund = { website: 'fund2.example', type: 'fund' };
  const [none, match] = [{ reason: 'nothing-found' }, { reason: 'website', record: { Id: FUND } }];
  const numbered = [none, match].map((each, i) => ({ ...each, ref: `${i + 1}` }));
  expect(await of({ name: 'No such name' }, fund)).toMatchObject(numbered);
  expect(await of({ ...fund, ref: 'a' })).toMatchObject([{ ...match, ref: 'a' }]);
});

test('search and fetch have the shapes of connectors, of the records of find_company and get_record', async () => {
  const client = await connect(overHttp(keyOf(paid)));
  const { body: found } = await call(client, 'search', { query: 'fund2.example' });
  const { body: same } = await call(client, 'find_company', { website: 'fund2.example', top: 10 });
  const url = same.matches[0].Website;
  expect(found.results[0]).toEqual({ id: `funds/${FUND}`, title: same.matches[0].Name, url });
  const { body: document } = await call(client, 'fetch', { id: found.results[0].id });
  expect(document).toMatchObject({ id: `funds/${FUND}`, title: same.matches[0].Name, url });
  expect(document.text).toContain(`Id: ${FUND}\n`);
  expect(document.metadata).toEqual({ source: 'Venture Capital Data Service' });
  for (const id of ['startups', `people/${STARTUP}`, STARTUP]) {
    const { body } = await call(client, 'fetch', { id });
    expect(body.error).toMatchObject({ code: 'bad_argument' });
  }
  await client.close();
});

describe('a prompt', () => {
  const nameOf = async (client: Client, collection: string, id: string): Promise<string> =>
    (await call(client, 'get_record', { collection, id })).body.record.Name;

  test.each(['company_brief', 'market_brief', 'portfolio_check'])(
    '%s names calls that work',
    async (name) => {
      const client = await connect(overHttp(keyOf(paid)), 'legacy');
      const company = await nameOf(client, 'startups', STARTUP);
      const fund = await nameOf(client, 'funds', FUND);
      const given = { company, fund, industry: 'Fintech', country: 'France' };
      const { prompts } = await client.listPrompts();
      const accepted = prompts.find((prompt) => prompt.name === name)?.arguments ?? [];
      const args = Object.fromEntries(
        Object.entries(given).filter(([each]) =>
          accepted.some((argument) => argument.name === each),
        ),
      );
      const { messages } = await client.getPrompt({ name, arguments: args });
      const text = JSON.stringify(messages[0]?.content);
      const { text: asked } = JSON.parse(text);
      let id = '';
      let calls = 0;
      for (const [, tool = '', written = ''] of asked.matchAll(/^\d\. (\w+) (.*)$/gm)) {
        const { body, isError } = await call(
          client,
          tool,
          JSON.parse(written.replaceAll('{id}', id)),
        );
        expect([tool, written, isError, body.error]).toEqual([tool, written, false, undefined]);
        id ||= body.matches?.[0].Id ?? '';
        calls += 1;
      }
      expect(calls).toBeGreaterThanOrEqual(4);
      await client.close();
    },
  );

  test('needs its argument, within a bound', async () => {
    const client = await connect(overHttp(keyOf(paid)), 'legacy');
    for (const given of [{}, { company: 'x'.repeat(201) }, { company: 'x', other: 'y' }]) {
      const asked = client.getPrompt({ name: 'company_brief', arguments: { ...given } });
      await expect(asked).rejects.toMatchObject({ code: -32_602 });
    }
    await client.close();
  });
});

describe('a tool that fails', () => {
  const failures: readonly [string, string, Record<string, unknown>, object][] = [
    [
      'an unknown field: the field, and what was meant',
      'list_records',
      { collection: 'startups', filter: "Industry eq 'Fintech'" },
      { code: 'unknown_field', argument: 'filter', field: 'Industry', suggestion: 'Tag' },
    ],
    [
      'an unknown value: the tool that lists the values',
      'count_records',
      { collection: 'startups', narrow: { country: 'Atlantis' } },
      { code: 'unknown_value', argument: 'narrow', see: expect.stringMatching('"country"') },
    ],
    [
      'an invalid argument: the allowed values',
      'list_records',
      { collection: 'company' },
      { code: 'bad_argument', argument: 'collection', allowed: expect.arrayContaining(['funds']) },
    ],
    [
      'an unknown argument',
      'find_company',
      { query: 'x' },
      { code: 'bad_argument', argument: 'query', allowed: expect.arrayContaining(['name']) },
    ],
    [
      'a record that does not exist',
      'get_record',
      { collection: 'funds', id: STARTUP },
      { code: 'not_found', status: 404 },
    ],
    [
      'a price above the limit: the argument that sets it',
      'list_records',
      { collection: 'startups', top: 30, max_credits: 29 },
      { code: 'price_above_limit', argument: 'max_credits' },
    ],
  ];
  test.each(failures)('returns %s; free', async (_, name, args, error) => {
    const client = await connect(overHttp(keyOf(paid)));
    const before = await remaining(paid);
    const { isError, body } = await call(client, name, args);
    expect({ isError, ...body }).toMatchObject({ isError: true, error });
    expect(await remaining(paid)).toBe(before);
  });

  test('returns the missing scope, and exhausted credits with the remedies', async () => {
    const scoped = await connect(overHttp(keyOf(narrowed)));
    const startups = await call(scoped, 'list_records', { collection: 'startups' });
    const matched = await call(scoped, 'match_companies', { companies: [{ name: 'Agora' }] });
    const denied = { code: 'not_entitled', status: 403 };
    expect([startups, matched].map(({ body }) => body.error)).toMatchObject([denied, denied]);
    expect((await call(scoped, 'list_records', { collection: 'news' })).isError).toBe(false);

    const poor = await connect(overHttp(keyOf(free)));
    const page = { collection: 'startups', top: 100, select: 'Id,Name' };
    for (let spent = 0; spent < 500; spent += 100) await call(poor, 'list_records', page);
    const { body } = await call(poor, 'list_records', page);
    expect(body).toMatchObject({
      error: { code: 'credits_exhausted' },
      credits: { remaining: 0, required: 100 },
      actions: expect.arrayContaining([expect.objectContaining({ type: 'purchase_credits' })]),
    });
  });
});

describe('a page', () => {
  const client = openedPerSuite(() => connect(overHttp(keyOf(paid))));

  test('has the records that an answer shows, and is charged for these', async () => {
    const args = { collection: 'startups', top: 100, expand: EVERY_RELATION };
    const quote = await call(client, 'price_of_call', { tool: 'list_records', arguments: args });
    const { text, body } = await call(client, 'list_records', args);
    const shown = body.records.length;
    expect(text.length).toBeLessThanOrEqual(25_000);
    expect(body.credits.charged).toBe(Math.ceil(shown * 2.25));
    expect(quote.body.quote).toMatchObject({
      credits_max: body.credits.charged,
      records_max: shown,
    });
    expect(body).toMatchObject({ next_cursor: expect.any(String), hint: expect.any(String) });
  });

  test('is followed by the next ones: every record once', async () => {
    const args = { collection: 'funds', orderby: 'Name', top: 9, select: 'Id', expand: 'Startups' };
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await call(client, 'list_records', { ...args, cursor });
      ids.push(...body.records.map(({ Id }: { Id: string }) => Id));
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    const { body } = await call(client, 'count_records', { collection: 'funds' });
    expect([ids.length, new Set(ids).size]).toEqual([body.count, body.count]);
  });

  const relations = (names: readonly string[]) => fc.subarray([...names]);
  const top = fc.integer({ min: 1, max: 100 });
  const collection = (name: string, expands: readonly string[], more = {}) =>
    fc.record({
      tool: fc.constant('list_records'),
      args: fc.record({ top, expand: relations(expands) }).map((args) => ({
        ...{ collection: name, max_credits: 1_000, ...args, ...more },
      })),
    });
  const CALL = fc.oneof(
    collection('startups', EVERY_RELATION.split(',')),
    collection('startups', ['Tags', 'Persons'], { filter: "Name like 'agora'", select: 'Name' }),
    collection('funds', ['Startups', 'Persons', 'Groups'], { orderby: 'Name' }),
    collection('rounds', ['Startup', 'Investors']),
    collection('news', ['Startup', 'Fund'], { narrow: null }),
    collection('portfolio', [], { fund_id: FUND }),
    collection('references', [], { startup_id: STARTUP }),
    fc.record({
      tool: fc.constantFrom('follow_changes'),
      args: fc.record({ limit: fc.integer({ min: 1, max: 50 }), names: fc.boolean() }),
    }),
    fc.record({
      tool: fc.constant('recent_activity'),
      args: fc.record({ limit: fc.integer({ min: 1, max: 50 }) }),
    }),
  );

  test('of any tool costs what the records in its answer cost, which its quote says', async () => {
    const price = (
      { tool, args }: { tool: string; args: Record<string, unknown> },
      shown: number,
    ) => {
      const { creditsPerSignal, collections } = CATALOGUE;
      const perRecord = collections[String(args.collection)]?.creditsPerRecord ?? creditsPerSignal;
      const isNamed = tool === 'follow_changes' && args.names === true;
      const expands = isNamed ? 2 : ((args.expand as string[] | undefined)?.length ?? 0);
      return Math.max(1, Math.ceil(shown * perRecord * (1 + 0.25 * expands)));
    };
    await fc.assert(
      fc.asyncProperty(CALL, async (asked) => {
        const { tool, args } = asked;
        const quote = await call(client, 'price_of_call', { tool, arguments: args });
        const { text, body } = await call(client, tool, args);
        const shown = (body.records ?? body.signals ?? body.entries).length;
        expect([asked, body.credits.charged]).toEqual([asked, price(asked, shown)]);
        expect(body.credits.charged).toBeLessThanOrEqual(quote.body.quote.credits_max);
        if (body.next_cursor !== undefined && tool !== 'follow_changes') {
          expect(shown).toBe(quote.body.quote.records_max);
        }
        expect(text.length).toBeLessThanOrEqual(25_000);
        expect(text).not.toContain('nextLink');
      }),
      runs(10, 500),
    );
  });
});

test('the charge of a tool has the request id of its message', async () => {
  const requestId = 'assistant-request-1';
  const client = await connect(overHttp(keyOf(gone), { 'X-Request-Id': requestId }));
  await call(client, 'list_records', { collection: 'funds', top: 5 });
  const charges = (await stack.charges(gone.accountId)).filter(
    (charge) => charge.request_id === requestId,
  );
  expect(charges).toMatchObject([{ endpoint: '/funds', charged: 5 }]);
  expect(sumOf(charges)).toBe(5);
});

test('a quote is the price of the call that it describes', async () => {
  const client = await connect(overHttp(keyOf(paid)));
  const args = { collection: 'startups', top: 8, expand: 'Funds' };
  const quote = (tool: string, given: object) =>
    call(client, 'price_of_call', { tool, arguments: given });
  const { body } = await quote('list_records', args);
  const failed = await quote('follow_changes', { occurred_since: 'soon' });
  expect(failed.body.error.argument).toBe('occurred_since');
  expect(body.quote).toMatchObject({ credits_max: 10, credits_min: 1, records_max: 8 });
  expect((await call(client, 'list_records', args)).body.credits.charged).toBe(10);
});

test('the call of a tool came over the scheme of its message', async () => {
  const proxied = await stack.dataApi({}, { REQUIRE_HTTPS: 'true', TRUST_PROXY: '1' });
  const body = toolCall('count_records', { collection: 'funds' });
  const over = (scheme: string) =>
    postMessage(proxied.url, keyOf(paid), { body, headers: { 'X-Forwarded-Proto': scheme } });
  expect((await over('https')).body).toContain('"count":');
  expect(await over('http')).toMatchObject({ status: 403 });
  const plain = await fetch(`${proxied.url}/v2/startups`, {
    headers: { 'X-Forwarded-Proto': 'http' },
  });
  expect(await plain.json()).toMatchObject({ error: { code: 'https_required' } });
});
