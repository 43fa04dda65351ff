// Tests docs/spec/assistants.md 18.2, 18.3, 18.6.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, eventually } from '@vcds/test-kit';
import { openStack } from '../credits/support/stack.ts';
import {
  connect,
  httpTransport,
  initialize,
  LIST,
  type Message,
  postMessage,
  rpc,
  toolCall,
} from './support.ts';

const stack = await closedAfterAll(openStack());
const api = await stack.dataApi();
const [account] = await stack.issue({ plan: 'starter', keys: [{}] });
const key = account.keys[0]?.apiKey ?? '';
const WITHOUT_HEADER = { headers: { 'X-Api-Key': '' } };
const balance = { body: toolCall('check_balance', {}) };

test.each<[string, Message, number, string]>([
  ['/mcp#?token=', { ...WITHOUT_HEADER, target: `/mcp#?token=${key}` }, 401, 'unauthorized'],
  [
    '/mcp?token=#',
    { ...WITHOUT_HEADER, ...balance, target: `/mcp?token=${key}#?a` },
    200,
    'starter',
  ],
  [
    '/mcp?%74oken=',
    { ...WITHOUT_HEADER, ...balance, target: `/mcp?%74oken=${key}` },
    200,
    'starter',
  ],
  ['an absolute URL', { ...balance, target: 'http://x/mcp' }, 200, 'starter'],
  [
    'an absolute URL with a key',
    { ...WITHOUT_HEADER, ...balance, target: `http://x:1/mcp?token=${key}` },
    200,
    'starter',
  ],
  ['an invalid port', { target: 'http://x:99999/mcp' }, 400, 'bad_request'],
  ['an invalid host', { target: 'http://[/mcp' }, 400, 'bad_request'],
  ['two slashes and a bracket', { target: '//[/mcp' }, 404, 'unknown_path'],
  ['*', { target: '*' }, 404, 'unknown_path'],
])(
  'the target %s has one reading for the key and for the tools',
  async (_, message, status, text) => {
    const response = await postMessage(api.url, key, { body: LIST, ...message });
    expect(response).toMatchObject({ status, body: expect.stringContaining(text) });
    expect(response.headers).toHaveProperty('x-request-id');
  },
);

const post = (message: Message) => postMessage(api.url, key, message);

describe('POST /mcp', () => {
  const { host } = new URL(api.url);
  test.each<[string, Message, number, string | RegExp]>([
    ['no key', { headers: { 'X-Api-Key': '' }, body: LIST }, 401, '/auth/register'],
    ['invalid JSON', { body: '{' }, 400, 'bad_json'],
    [
      'a batch',
      { body: `[${LIST},${rpc('ping', {}, 'b')}]` },
      200,
      /"id":1\D.*"id":"b"|"id":"b".*"id":1\D/,
    ],
    [
      'a batch of a version without batches',
      { headers: { 'MCP-Protocol-Version': '2025-06-18' }, body: `[${LIST}]` },
      400,
      'has no batches',
    ],
    ['an empty batch', { body: '[]' }, 400, '1 to 10 messages'],
    ['a long batch', { body: `[${Array(11).fill(LIST)}]` }, 400, '1 to 10 messages'],
    ['a large body', { body: `"${'x'.repeat(65_536)}"` }, 413, 'body_too_large'],
    ['text', { headers: { 'Content-Type': 'text/plain' }, body: LIST }, 415, 'unsupported_media'],
    ['GET', { method: 'GET' }, 405, 'method_not_allowed'],
    ['DELETE', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a message of no protocol', { body: '{"a":1}' }, 400, '-32600'],
    ['an unknown method', { body: rpc('tools/sum', {}) }, 200, '-32601'],
    [
      'a notification',
      { body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' },
      202,
      /^$/,
    ],
    ['a subscription', { body: rpc('resources/subscribe', { uri: 'vcds://x' }) }, 200, '-32601'],
    [
      'an unknown version',
      { headers: { 'MCP-Protocol-Version': '1999-01-01' }, body: LIST },
      400,
      '-32',
    ],
    ...['application/json', 'text/event-stream', '*/*', 'text/html', ''].flatMap((accept) =>
      ['', '2025-06-18'].map((version): [string, Message, number, string] => [
        `Accept: ${accept} of version ${version}`,
        {
          headers: { Accept: accept, ...(version !== '' && { 'MCP-Protocol-Version': version }) },
          body: LIST,
        },
        200,
        'list_records',
      ]),
    ),
    ['an unknown parameter', { query: '?top=1', body: LIST }, 400, 'unknown_parameter'],
    [
      'a key in the query',
      {
        ...{ query: `?token=${key}`, headers: { 'X-Api-Key': '' } },
        body: toolCall('check_balance', {}),
      },
      200,
      '"plan":"starter"',
    ],
    ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map(
      (version): [string, Message, number, string] => [
        `version ${version}`,
        { body: initialize(version) },
        200,
        `"protocolVersion":"${version}"`,
      ],
    ),
    ['a version to come', { body: initialize('2099-01-01') }, 200, '"2025-11-25"'],
    ['arguments that are null', { body: toolCall('check_balance', null) }, 200, '"plan":"starter"'],
    [
      'arguments as a text',
      {
        body: toolCall(
          'price_of_call',
          '{"tool":"count_records","arguments":{"collection":"news"}}',
        ),
      },
      200,
      'credits_max',
    ],
    [
      'arguments that are no object',
      { body: toolCall('find_company', 'Acme') },
      200,
      'The arguments must be one JSON object',
    ],
    ...[0, -7, 'a', '', '☃', 'e\u0301', 9_007_199_254_740_991].map(
      (id): [string, Message, number, string] => [
        `the id ${id}`,
        { body: rpc('ping', {}, id) },
        200,
        `"id":${JSON.stringify(id)}`,
      ],
    ),
    ['the id null', { body: rpc('ping', {}, null) }, 400, '-32'],
    ['no parameters', { body: rpc('tools/call', undefined) }, 200, 'params: Invalid input'],
    [
      'a tool without a name',
      { body: rpc('tools/call', {}) },
      200,
      'request: params.name: Invalid',
    ],
    ['no address of a resource', { body: rpc('resources/read', {}) }, 200, '-32602'],
    [
      'an upgrade to HTTP/2',
      {
        headers: { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': '' },
        body: LIST,
      },
      200,
      'list_records',
    ],
    ['a broken id', { body: rpc('ping', {}, 1.5) }, 400, '-32'],
    [
      'a page elsewhere',
      { headers: { Origin: 'https://docs.example' }, body: LIST },
      200,
      'list_records',
    ],
    [
      'a page of this host',
      { headers: { Origin: `http://${host}` }, body: LIST },
      200,
      'list_records',
    ],
    ['an opaque origin', { headers: { Origin: 'null' }, body: LIST }, 200, 'list_records'],
    [
      'DNS rebinding',
      { headers: { Origin: 'http://evil.example', Host: 'evil.example' }, body: LIST },
      403,
      'origin_not_allowed',
    ],
  ])('responds to %s', async (_, message, status, text) => {
    const response = await post(message);
    expect({ status: response.status, body: response.body }).toEqual({
      status,
      body: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
    });
    expect(response.headers).toHaveProperty('x-request-id');
    if (status === 405) expect(response.headers.allow).toBe('POST, OPTIONS');
    const isOfKey = ![401, 403].includes(status);
    expect('x-ratelimit-remaining' in response.headers).toBe(isOfKey);
    if (isOfKey) expect(response.headers['x-credits-charged']).toBe('0');
  });

  test('reports the charge of the tool in its headers', async () => {
    const response = await post({
      body: toolCall('list_records', { collection: 'funds', top: 3 }),
    });
    expect(response.headers).toMatchObject({
      'x-credits-charged': '3',
      'content-type': 'application/json',
    });
  });

  test('finds stored text by decomposed text in the arguments of a tool', async () => {
    const name = 'Z\u00fcrich \u00c5';
    await stack.sql.query(
      'UPDATE venture.startup SET name = $1 WHERE id = (SELECT min(id::text)::uuid FROM venture.startup)',
      [name],
    );
    const filter = `Name eq '${name.normalize('NFD')}'`;
    const { body } = await post({
      body: toolCall('list_records', { collection: 'startups', filter }),
    });
    expect(body).toContain(name);
  });

  test('exempts a batch from the share of free work only if each message is charged', async () => {
    const free = async () => {
      const metrics = await (await fetch(`${api.internalUrl}/metrics`)).text();
      return Number(
        /vcds_free_work_seconds_total\{subject="account"[^}]*\} (\S+)/.exec(metrics)?.[1],
      );
    };
    const charged = toolCall('list_records', { collection: 'funds', top: 1 });
    await post({ body: LIST });
    const before = await free();
    await post({ body: charged });
    await post({ body: `[${charged},${charged}]` });
    expect(await free()).toBe(before);
    await post({ body: `[${charged},${LIST}]` });
    expect(await free()).toBeGreaterThan(before);
  });

  test('accepts a key of a page in another origin, and its preflight', async () => {
    const response = await post({
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(response.headers['access-control-allow-headers']).toMatch(/Mcp-Protocol-Version/);
  });
});

describe('a call that is cancelled before it has read', () => {
  const message = toolCall('list_records', { collection: 'news' });
  const metrics = async () => (await fetch(`${api.internalUrl}/metrics`)).text();
  const isReading = async () => {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'data-api' AND wait_event_type = 'Lock'`;
    return (await stack.sql.query(waiting)).rowCount !== 0;
  };
  /** Cancels a call while it waits for a lock, and waits until its statement has ended. */
  const cancelled = async (during: () => Promise<unknown>) => {
    const before = await stack.charges(account.accountId);
    const lock = await stack.sql.connect();
    await lock.query('BEGIN; LOCK venture.news IN ACCESS EXCLUSIVE MODE');
    try {
      await during();
      await eventually(async () => !(await isReading()));
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    expect(await stack.charges(account.accountId)).toEqual(before);
  };

  test('because its client disconnects costs nothing, and its statement ends', async () => {
    await cancelled(async () => {
      const gone = new AbortController();
      const rejected = expect(post({ body: message, signal: gone.signal })).rejects.toThrow();
      await eventually(isReading);
      gone.abort();
      await rejected;
    });
    const hasGone = (text: string, route: string) =>
      new RegExp(`duration_seconds_count\\{[^}]*route="${route}"[^}]*status="499"`).test(text);
    await eventually(async () => {
      const text = await metrics();
      return hasGone(text, '/mcp') && hasGone(text, '/v2/news');
    });
  });

  const notification = (requestId: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

  test('with notifications/cancelled costs nothing, and is answered', async () => {
    await cancelled(async () => {
      const waiting = post({ body: message });
      await eventually(isReading);
      for (const other of ['1', 2, null]) {
        expect(await post({ body: notification(other) })).toMatchObject({ status: 202 });
      }
      const elsewhere = { body: notification(1), headers: { 'User-Agent': 'another program' } };
      await post(elsewhere);
      expect(await isReading()).toBe(true);
      expect(await post({ body: notification(1) })).toMatchObject({ status: 202 });
      const { status, headers, body } = await waiting;
      expect([status, headers['x-credits-charged']]).toEqual([200, '0']);
      expect(JSON.parse(body)).toMatchObject({
        id: 1,
        error: { message: 'The call was cancelled.' },
      });
    });
  });

  test('by one of two programs with the same ids is not, because it may be the other one', async () => {
    const lock = await stack.sql.connect();
    await lock.query('BEGIN; LOCK venture.news IN ACCESS EXCLUSIVE MODE');
    const both = [post({ body: message }), post({ body: message })];
    await eventually(isReading);
    await post({ body: notification(1) });
    await lock.query('ROLLBACK');
    lock.release();
    for (const { body } of await Promise.all(both)) expect(body).toContain('"result"');
  });

  test.each(['auto', 'legacy'] as const)(
    'by the client of the SDK costs nothing: %s',
    async (mode) => {
      const client = await connect(
        httpTransport(api.url, { Authorization: `Bearer ${key}` }),
        mode,
      );
      await cancelled(async () => {
        const gone = new AbortController();
        const params = { name: 'list_records', arguments: { collection: 'news' } };
        const rejected = expect(client.callTool(params, { signal: gone.signal })).rejects.toThrow();
        await eventually(isReading);
        gone.abort();
        await rejected;
      });
      await client.close();
    },
  );
});
