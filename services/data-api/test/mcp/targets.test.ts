import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { openStack } from '../credits/support/stack.ts';
import { LIST, type Message, postMessage, toolCall } from './support.ts';

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
