import { expect, test } from '@jest/globals';
import {
  atLength,
  closedAfterAll,
  freePort,
  type InstancePorts,
  Load,
  LoadBalancer,
  rollingRestart,
} from '@vcds/test-kit';
import { type Caller, openStack } from './support/stack.ts';

const RESTARTS = atLength(1, 10);
const DRAIN_MS = atLength(500, 5_000);
const TIMEOUT_MS = 60_000 + 2 * RESTARTS * (10_000 + DRAIN_MS);

const stack = await closedAfterAll(openStack());

test(
  'no call fails in rolling restarts of data-api, and every call is charged once',
  async () => {
    const [account] = await stack.issue({ plan: 'scale', keys: [{}] });
    const both = await Promise.all(
      [0, 1].map(async () => ({ public: await freePort(), internal: await freePort() })),
    );
    const running = new Map<InstancePorts, Caller>();
    const start = async (ports: InstancePorts): Promise<void> => {
      const environment = {
        DRAIN_MS: String(DRAIN_MS),
        DATA_API_PORT: String(ports.public),
        DATA_API_INTERNAL_PORT: String(ports.internal),
      };
      running.set(ports, await stack.dataApi({}, environment));
    };
    for (const ports of both) await start(ports);
    const balancer = new LoadBalancer(both);
    const load = new Load({
      port: await balancer.open(),
      path: '/v2/startups?$top=1',
      headers: { 'X-Api-Key': account.keys[0]?.apiKey ?? '' },
      callers: 4,
    });
    const order = Array.from({ length: RESTARTS }, () => both).flat();
    await rollingRestart(order, balancer, load, async (ports) => {
      await running.get(ports)?.stop();
      await start(ports);
    });
    await load.stop();
    await balancer.close();
    for (const caller of running.values()) await caller.stop();
    expect(load.failures).toEqual([]);
    const served = both.reduce((sum, ports) => sum + load.served(ports), 0);
    expect(await stack.charges(account.accountId)).toHaveLength(served);
  },
  TIMEOUT_MS,
);
