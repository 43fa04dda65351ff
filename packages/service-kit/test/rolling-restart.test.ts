import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import {
  atLength,
  freePort,
  type InstancePorts,
  Load,
  LoadBalancer,
  rollingRestart,
} from '@vcds/test-kit';
import {
  createHttpServer,
  createInternalApp,
  createLogger,
  createMetrics,
  type Route,
  type Service,
  sendJson,
  startService,
} from '../src/index.ts';
import { fixtureApp } from './fixture-app.ts';

// Far more than the load balancer needs to see it, for a slow machine.
const DRAIN_MS = 2_000;
const logger = createLogger({ service: 't', level: 'silent' });

/** An instance of a service; every call takes a few iterations of the event loop. */
async function startInstance(ports: InstancePorts): Promise<Service> {
  const routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/v2/where',
      handler: async (_request, response) => {
        await delay(5);
        sendJson(response, 200, { port: ports.public });
      },
    },
  ];
  const { app } = fixtureApp({}, routes);
  let service: Service | undefined;
  const internal = createInternalApp({
    logger,
    metrics: createMetrics('t'),
    checks: {},
    isStopping: () => service?.isStopping() ?? false,
  });
  const shared = { host: '127.0.0.1', variable: 'X_PORT' };
  service = await startService({
    name: 'instance',
    logger,
    drainMs: DRAIN_MS,
    listeners: [
      { ...shared, name: 'public', server: createHttpServer(app), port: ports.public },
      {
        ...shared,
        name: 'internal',
        role: 'internal',
        server: createHttpServer(internal),
        port: ports.internal,
      },
    ],
  });
  return service;
}

test('rolling restarts behind a load balancer without retries fail no call', async () => {
  const both = await Promise.all(
    [0, 1].map(async () => ({ public: await freePort(), internal: await freePort() })),
  );
  const running = new Map<InstancePorts, Service>();
  const start = async (ports: InstancePorts): Promise<void> => {
    running.set(ports, await startInstance(ports));
  };
  for (const ports of both) await start(ports);
  const balancer = new LoadBalancer(both);
  const load = new Load({ port: await balancer.open(), path: '/v2/where', callers: 8 });
  const order = Array.from({ length: atLength(1, 4) }, () => both).flat();
  await rollingRestart(order, balancer, load, async (ports) => {
    await running.get(ports)?.stop();
    await start(ports);
  });
  await load.stop();
  await balancer.close();
  await Promise.all([...running.values()].map((service) => service.stop()));
  expect(load.failures).toEqual([]);
});
