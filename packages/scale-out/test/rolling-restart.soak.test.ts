import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { faultsUnderLoad } from './support/faults.ts';
import { startTopology } from './support/topology.ts';

const TEST_MS_MAX = 1_200_000;
const topology = await closedAfterAll(startTopology());
const underLoad = await faultsUnderLoad(topology);

test(
  'a rolling restart of every process and a reload of haproxy fail no request',
  async () => {
    const report = await underLoad('rolling restart of every process', async () => {
      for (const member of topology.members) {
        expect(await member.stop()).toBe(0);
        await member.start();
        if (/api/.test(member.program)) await topology.proxy.untilUp(member.name);
      }
      const servers = [...topology.membersOf('data-api'), ...topology.membersOf('access-api')];
      await topology.proxy.reload(servers.map(({ name }) => name));
    });
    expect(report).toMatchObject({ failed: 0, lostCharged: 0, unpaid: 0, unmailed: 0 });
    expect(report.ledger).toBe(report.reported);
  },
  TEST_MS_MAX,
);
