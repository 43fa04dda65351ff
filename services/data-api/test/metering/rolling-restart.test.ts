import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, type InstancePorts, Load, LoadBalancer, rollingRestart } from '@vcds/test-kit';
import { type Caller, openStack, type Stack } from './support/stack.ts';

/** `npm run soak` in services/data-api sets these higher. */
const RESTARTS = Number(process.env.VCDS_SOAK_RESTARTS ?? 1);
const DRAIN_MS = process.env.VCDS_SOAK_DRAIN_MS ?? '1000';
const TIMEOUT_MS = 60_000 + 2 * RESTARTS * (10_000 + Number(DRAIN_MS));

let stack: Stack;

beforeAll(async () => {
  stack = await openStack();
});

afterAll(() => stack.close());

test(
  'rolling restarts of data-api fail no call, and every call is charged once',
  async () => {
    const [account] = await stack.issue({ plan: 'scale', keys: [{}] });
    const both = await Promise.all(
      [0, 1].map(async () => ({ public: await freePort(), internal: await freePort() })),
    );
    const running = new Map<InstancePorts, Caller>();
    const start = async (ports: InstancePorts): Promise<void> => {
      const environment = {
        DRAIN_MS,
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
