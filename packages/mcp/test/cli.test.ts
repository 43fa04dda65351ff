// Tests docs/spec/assistants.md 18.7.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { TOOLS } from '../src/tools/index.ts';
import { VERSION } from '../src/version.ts';

const PROGRAM = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const KEY = { VCDS_API_KEY: 'pk_live_secret', VCDS_BASE_URL: 'http://127.0.0.1:9/v2' };

function start(words: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: 'pipe' });
  const end = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { child, end: end.then(([out, error, [code]]) => ({ out, error, code })) };
}

test.each<[string[], NodeJS.ProcessEnv, number, RegExp]>([
  [['--help'], {}, 0, /^vcds-mcp .*VCDS_API_KEY/s],
  [['--version'], {}, 0, new RegExp(`^${VERSION}\n$`)],
  [['--verbose'], KEY, 1, /^vcds-mcp: Unexpected argument '--verbose'; see vcds-mcp --help.\n$/],
  [['--help', 'x'], KEY, 1, /^vcds-mcp: Too many arguments.*\n$/],
  [[], {}, 1, /^vcds-mcp: VCDS_API_KEY is missing.*\n$/],
  [[], { ...KEY, VCDS_BASE_URL: 'localhost' }, 1, /^vcds-mcp: VCDS_BASE_URL is not a URL.\n$/],
  [[], { ...KEY, VCDS_BASE_URL: 'ftp://x' }, 1, /^vcds-mcp: The base URL must be http.*\n$/],
  [[], { ...KEY, VCDS_API_KEY: 'a b' }, 1, /^vcds-mcp: The API key .*\n$/],
])('vcds-mcp %j exits with one line, without the key', async (words, env, code, line) => {
  const { end } = start(words, env);
  const { out, error, code: exit } = await end;
  expect({ exit, text: code === 0 ? out : error }).toEqual({
    exit: code,
    text: expect.stringMatching(line),
  });
  expect(code === 0 ? error : out).toBe('');
});

test('the README lists every tool', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(expect.arrayContaining(TOOLS.map(({ name }) => name)));
});

test('serves until its input ends, with nothing but the protocol on its output', async () => {
  const { child, end } = start([], KEY);
  const params = { name: 'check_balance', arguments: {} };
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    },
    { id: 2, method: 'tools/call', params },
  ];
  for (const message of messages) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
  child.stdin.write('no JSON\n');
  let lines = 0;
  child.stdout.on('data', (chunk) => {
    lines += String(chunk).split('\n').length - 1;
    if (lines === 2) child.stdin.end();
  });
  const { out, error, code } = await end;
  expect(code).toBe(0);
  const replies = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(replies.map(({ id }) => id)).toEqual([1, 2]);
  expect(replies[1].result).toMatchObject({ isError: true });
  expect(replies[1].result.content[0].text).toContain('network_error');
  expect(out + error).not.toContain('secret');
});

test('ends on SIGTERM', async () => {
  const { child, end } = start([], KEY);
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await end).toMatchObject({ code: 0, error: '' });
});
