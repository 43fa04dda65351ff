import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  atLength,
  createTestDatabase,
  createTestRedisServer,
  eventually,
  killServices,
  readMails,
  spawnService,
} from '@vcds/test-kit';
import { Redis } from 'ioredis';
import { register, startAccessApi } from './access-process.ts';
import { CODE_SECRET } from './pending-mail.ts';

const KILLS = atLength(1, 50);
const FULL_MS = atLength(0, 20_000);
const TIMEOUT_MS = 120_000 + KILLS * 20_000 + FULL_MS;

const [database, server] = await Promise.all([createTestDatabase(), createTestRedisServer()]);
const redis = new Redis(server.url);
let folder: string;
let environment: NodeJS.ProcessEnv;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vcds-mail-'));
  environment = {
    DATABASE_URL: database.url,
    REDIS_URL: server.url,
    CODE_SECRET,
    SERVICE_TOKEN_SECRET: CODE_SECRET,
    MAIL_DIR: folder,
  };
});
afterEach(async () => {
  killServices();
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  redis.disconnect();
  await Promise.all([database.drop(), server.drop()]);
});

const newAddress = () => `${randomUUID()}@mail.example`;
const recipients = async () => (await readMails(folder)).map(({ to }) => to);

/** Resolves once each of the addresses has its message; with how many got a second one. */
async function arrived(addresses: readonly string[]): Promise<number> {
  const isComplete = async () => new Set(await recipients()).size === addresses.length;
  await eventually(isComplete, { timeoutMs: TIMEOUT_MS, intervalMs: 100 });
  const all = await recipients();
  expect(new Set(all)).toEqual(new Set(addresses));
  return all.length - addresses.length;
}

test(
  `${KILLS} times killed at the answer, access-api loses no message; 1 % go out twice at most`,
  async () => {
    const worker = spawnService('worker', environment);
    await worker.ports;
    const addresses: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const access = await startAccessApi(environment);
      const address = newAddress();
      await register(access, address, () => access.child.kill('SIGKILL'));
      await access.end('SIGKILL');
      addresses.push(address);
    }
    const startedMs = performance.now();
    const twice = await arrived(addresses);
    const waitedMs = Math.round(performance.now() - startedMs);
    process.stderr.write(`${KILLS} kills: 0 lost, ${twice} twice, ${waitedMs} ms after the last\n`);
    expect(twice).toBeLessThanOrEqual(atLength(KILLS, KILLS / 100));
    expect(await worker.end('SIGTERM')).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  'registrations answered as sent while Redis is full have their message, once, when it is not',
  async () => {
    const worker = spawnService('worker', environment);
    await worker.ports;
    const access = await startAccessApi(environment);
    const addresses = Array.from({ length: 5 }, newAddress);
    await redis.config('SET', 'maxmemory', 1);
    try {
      for (const address of addresses) await register(access, address);
      await eventually(() => worker.output().includes('unsent mail could not be queued'));
      await delay(FULL_MS);
    } finally {
      await redis.config('SET', 'maxmemory', 0);
    }
    expect(await arrived(addresses)).toBe(0);
    await access.end('SIGKILL');
    expect(await worker.end('SIGTERM')).toBe(0);
  },
  TIMEOUT_MS,
);
