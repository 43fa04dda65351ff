// Tests docs/spec/operations.md 16.5.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createHttpServer, createLogger, type Listener, startService } from '../src/index.ts';

const logger = createLogger({ service: 't', level: 'silent' });

function listener(handler: Parameters<typeof createHttpServer>[0], port = 0): Listener {
  return {
    name: 'public',
    server: createHttpServer(handler),
    host: '127.0.0.1',
    port,
    variable: 'X_PORT',
  };
}

/** A promise that the test, or the tested code, resolves. */
function event(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen: () => happen() };
}

async function fetchText(
  port: number,
  agent: Agent,
): Promise<{ body: string; headers: IncomingMessage['headers'] }> {
  const call = get({ port, host: '127.0.0.1', agent });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { body: await text(response), headers: response.headers };
}

describe('startService', () => {
  test('a port in use is an error with port and variable; resources are closed', async () => {
    const first = await startService({ name: 'a', logger, listeners: [listener(() => undefined)] });
    const port = first.ports.public ?? 0;
    const closed: string[] = [];
    const resources = [{ name: 'pool', close: () => closed.push('pool') }];
    const second = startService({
      name: 'b',
      logger,
      listeners: [listener(() => undefined, port)],
      resources,
    });
    await expect(second).rejects.toMatchObject({
      name: 'ListenError',
      message: `Port ${port} for public is already in use. Stop the process that uses it, or set X_PORT.`,
    });
    expect(closed).toEqual(['pool']);
    await first.stop();
  });

  test('an address that this machine does not have is an error', async () => {
    const elsewhere = { ...listener(() => undefined), host: '203.0.113.1' };
    await expect(startService({ name: 'a', logger, listeners: [elsewhere] })).rejects.toThrow(
      'this machine does not have that address',
    );
  });

  test('stop rejects new calls, waits for the running one, then closes in order', async () => {
    const order: string[] = [];
    const [arrived, released] = [event(), event()];
    const service = await startService({
      name: 'a',
      logger,
      listeners: [
        listener(async (_request, response) => {
          arrived.happen();
          await released.happened;
          order.push('answered');
          response.end('done');
        }),
        { ...listener((_q, r) => void r.end('up')), name: 'internal', role: 'internal' },
      ],
      resources: [
        { name: 'one', close: () => delay(10).then(() => order.push('one')) },
        { name: 'broken', close: () => Promise.reject(new Error('x')) },
        { name: 'two', close: () => order.push('two') },
      ],
    });
    const agent = new Agent({ keepAlive: true });
    const { public: port = 0, internal = 0 } = service.ports;
    const running = fetchText(port, agent);
    await arrived.happened;
    const stopped = service.stop();
    expect(service.isStopping()).toBe(true);
    await expect(fetchText(port, new Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    // Probes and internal calls work as long as public calls are running.
    expect((await fetchText(internal, new Agent())).body).toBe('up');
    released.happen();
    expect((await running).body).toBe('done');
    await stopped;
    expect(order).toEqual(['answered', 'one', 'two']);
    expect(service.stop()).toBe(service.stop());
    agent.destroy();
  });

  test('while it drains, calls succeed and each response closes its connection', async () => {
    const service = await startService({
      name: 'a',
      logger,
      listeners: [listener((_request, response) => void response.end('served'))],
      drainMs: 1_000,
    });
    const port = service.ports.public ?? 0;
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await fetchText(port, kept)).headers.connection).toBe('keep-alive');
    const stopped = service.stop();
    expect(service.isStopping()).toBe(true);
    for (const agent of [kept, new Agent()]) {
      const { body, headers } = await fetchText(port, agent);
      expect([body, headers.connection]).toEqual(['served', 'close']);
    }
    await stopped;
    await expect(fetchText(port, new Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    kept.destroy();
  });

  test('a resource has its own timeout for closing', async () => {
    const closed: string[] = [];
    const service = await startService({
      name: 'a',
      logger,
      listeners: [listener(() => undefined)],
      resources: [
        { name: 'stuck', close: () => event().happened, closeMsMax: 20 },
        { name: 'slow', close: () => delay(30).then(() => closed.push('slow')) },
      ],
    });
    await service.stop();
    expect(closed).toEqual(['slow']);
  });

  test('all resources are closed within a common timeout, whatever their own ones are', async () => {
    const closed: string[] = [];
    const stuck = (name: string) => ({
      name,
      close: () => {
        closed.push(name);
        return event().happened;
      },
      closeMsMax: 600_000,
    });
    const service = await startService({
      name: 'a',
      logger,
      listeners: [listener(() => undefined)],
      resources: ['one', 'two', 'three'].map(stuck),
      stopMsMax: 30,
    });
    await service.stop();
    expect(closed).toEqual(['one', 'two', 'three']);
  });

  test('a keep-alive connection does not delay the stop', async () => {
    const keeping = listener((_request, response) => void response.end('ok'));
    // Only the stop closes the connection.
    keeping.server.keepAliveTimeout = 0;
    const service = await startService({ name: 'a', logger, listeners: [keeping] });
    const agent = new Agent({ keepAlive: true });
    await fetchText(service.ports.public ?? 0, agent);
    await service.stop();
    agent.destroy();
  });

  test('a call that does not finish is aborted after finishMsMax', async () => {
    const arrived = event();
    const service = await startService({
      name: 'a',
      logger,
      listeners: [listener(() => arrived.happen())],
      finishMsMax: 100,
    });
    const hanging = fetchText(service.ports.public ?? 0, new Agent());
    const outcome = expect(hanging).rejects.toMatchObject({ code: 'ECONNRESET' });
    await arrived.happened;
    await service.stop();
    await outcome;
  });
});
