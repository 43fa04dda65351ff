import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLogger, createRedis, redisReady, systemClock } from '@vcds/service-kit';
import { createTestRedisServer } from '@vcds/test-kit';
import { createSentHere, type Delivery, deliver } from '../../src/mail/deliver.ts';
import { createFileTransport } from '../../src/mail/file-transport.ts';
import { createMailSource } from '../../src/registration/mail-source.ts';
import { createRegistrationSecrets } from '../../src/registration/secrets.ts';
import { leaveRegistration, secrets } from './pending-mail.ts';

const lines: string[] = [];
const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
const clock = systemClock;
const CONFIGURATION = ['appendonly yes', 'appendfsync always'];
const server = await createTestRedisServer({ configuration: CONFIGURATION });
const redis = createRedis({ url: server.url, name: 'test', logger });
await redisReady(redis);
const folder = await mkdtemp(join(tmpdir(), 'vcds-mail-'));
afterAll(async () => {
  redis.disconnect();
  await rm(folder, { recursive: true, force: true });
  await server.drop();
});
const delivery = (): Delivery => ({
  source: createMailSource(redis, secrets),
  transport: createFileTransport({ folder, clock, say: () => undefined }),
  sentHere: createSentHere(clock),
  clock,
  logger,
  onSent: () => undefined,
});

describe('a delivery', () => {
  test('sends once though Redis goes away between sending and marking', async () => {
    const { registrationId } = await leaveRegistration(redis);
    const first = delivery();
    const { transport } = first;
    const send: typeof transport.send = async (message) => {
      await transport.send(message);
      await server.kill();
    };
    const outcome = await deliver(registrationId, { ...first, transport: { ...transport, send } });
    expect(outcome).toEqual({ is: 'sent' });
    expect(lines.join('')).toContain('mail sent, but failed to record it');
    await server.restart();
    await redisReady(redis);
    expect(await deliver(registrationId, first)).toEqual({ is: 'repeated' });
    // Marked by now: another process has nothing to send either.
    expect(await deliver(registrationId, delivery())).toEqual({ is: 'gone' });
    expect(await readdir(folder)).toHaveLength(1);
  });

  test('is tried again when the registration cannot be read', async () => {
    const { registrationId, to, code } = await leaveRegistration(redis);
    const source = createMailSource(redis, createRegistrationSecrets('another '.repeat(8)));
    const unreadable = { text: 'The registration could not be read.', isFinal: false };
    expect(await deliver(registrationId, { ...delivery(), source })).toEqual({
      is: 'failed',
      failure: unreadable,
    });
    await server.kill();
    expect(await deliver(registrationId, delivery())).toEqual({
      is: 'failed',
      failure: unreadable,
    });
    await server.restart();
    await redisReady(redis);
    expect(lines.join('')).not.toContain(to);
    expect(lines.join('')).not.toContain(`"${code}"`);
  });

  test('is postponed if the worker was delayed for longer than it holds the job', async () => {
    const { registrationId } = await leaveRegistration(redis);
    let nowMs = 0;
    const heldUp = {
      ...systemClock,
      monotonicMs: () => {
        nowMs += 4_000;
        return nowMs;
      },
    };
    const outcome = await deliver(registrationId, { ...delivery(), clock: heldUp });
    expect(outcome).toMatchObject({
      is: 'failed',
      failure: { text: 'The worker was delayed.', isFinal: false },
    });
  });
});
