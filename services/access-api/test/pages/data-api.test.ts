import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newAddress } from '../registration/fixture.ts';
import { keyOn, Person } from './person.ts';
import { openStack, type Stack, untilReady } from './stack.ts';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
/** A change of a key must be in force everywhere within this (docs/spec/authentication.md 2.5). */
const IN_FORCE_MS_MAX = 1_000;

let stack: Stack;
let dataApi: ChildProcess | undefined;
let dataUrl: string;
beforeAll(async () => {
  stack = await openStack();
  const ports = await startDataApi();
  dataUrl = `http://127.0.0.1:${ports.public}/v2`;
  await untilReady(`http://127.0.0.1:${ports.internal}`);
}, 120_000);
afterAll(async () => {
  if (dataApi !== undefined && dataApi.exitCode === null) {
    const exit = once(dataApi, 'exit');
    dataApi.kill('SIGTERM');
    await exit;
  }
  await stack?.close();
});

const statusOf = async (path: string, key: string): Promise<number> => {
  const answer = await fetch(`${dataUrl}${path}`, { headers: { 'X-Api-Key': key } });
  await answer.arrayBuffer();
  return answer.status;
};
/** How long it took, in ms, until a call is answered by this status. */
const msUntil = async (status: number, path: string, key: string): Promise<number> => {
  const since = performance.now();
  while ((await statusOf(path, key)) !== status) {
    if (performance.now() - since > 10 * IN_FORCE_MS_MAX) throw new Error(`Never ${status}.`);
    await delay(5);
  }
  return performance.now() - since;
};

test('data-api accepts a key of the account page, and rejects it when narrowed or revoked', async () => {
  const person = new Person(stack.accessUrl);
  const email = newAddress();
  await person.get('/account');
  await person.post('/account/sign-in', { email });
  const link = new URL(await stack.linkFor(email)).pathname;
  await person.get(link);
  await person.post(link, { key: 'none' });
  await person.get('/account/keys/new');
  const key = keyOn(await person.post('/account/keys/new', { scope: ['companies', 'news'] }));
  expect(await statusOf('/startups', key)).toBe(200);
  expect(await statusOf('/news', key)).toBe(200);
  expect(await statusOf('/persons', key)).toBe(403);

  const home = await person.get('/account');
  const [path = ''] = /\/account\/keys\/[0-9a-f-]{36}/.exec(home.text) ?? [];
  expect((await person.post(`${path}/scopes`, { scope: 'news' })).status).toBe(303);
  expect(await msUntil(403, '/startups', key)).toBeLessThan(IN_FORCE_MS_MAX);
  expect(await statusOf('/news', key)).toBe(200);

  expect((await person.post(`${path}/revoke`)).status).toBe(303);
  expect(await msUntil(401, '/news', key)).toBeLessThan(IN_FORCE_MS_MAX);
  expect(stack.log()).not.toContain(key.slice(8));
}, 60_000);

async function startDataApi(): Promise<Record<string, number>> {
  const compiler = 'node_modules/typescript/bin/tsc';
  const built = spawnSync(process.execPath, [compiler, '-b', 'services/data-api'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`data-api does not compile:\n${built.stdout}`);
  const child = spawn(process.execPath, ['services/data-api/dist/main.js'], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env.PATH,
      ...stack.environment,
      CURSOR_SECRET: 'a-secret-of-enough-characters-for-cursors',
      DATA_API_PORT: '0',
      DRAIN_MS: '0',
      DATA_API_INTERNAL_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  dataApi = child;
  return new Promise((resolve, reject) => {
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      const said = /"ports":(\{[^}]*\})/.exec(output)?.[1];
      if (said !== undefined) resolve(JSON.parse(said));
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('exit', () => reject(new Error(`data-api ended: ${output}`)));
  });
}
