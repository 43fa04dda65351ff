import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { closedAfterAll, startPgBouncer, startPrimary, startStandby } from '@vcds/test-kit';
import { faultsUnderLoad } from './support/faults.ts';
import { startTopology } from './support/topology.ts';

const TEST_MS_MAX = 600_000;
const BEHIND_MS = 60_000;
const primary = await startPrimary();
const standby = await startStandby(primary);
const pooler = await startPgBouncer(primary);
const database = {
  ...primary,
  variables: {
    DATABASE_URL: pooler.urlOf('vcds_data_api'),
    DATABASE_POOLER: 'transaction',
    DATABASE_DIRECT_URL: primary.urlOf('vcds_data_api'),
    DATABASE_REPLICA_URL: standby.urlOf('vcds_data_api'),
  },
  drop: async () => {
    for (const server of [pooler, standby, primary]) await server.drop();
  },
};
const topology = await closedAfterAll(startTopology({ openDatabase: async () => database }));
const underLoad = await faultsUnderLoad(topology);

test(
  'a replica that is a minute behind is left out, and fails no request',
  async () => {
    const report = await underLoad('replica 60 s behind', async () => {
      await standby.pauseReplay();
      await delay(BEHIND_MS);
      await standby.resumeReplay();
      await standby.caughtUp();
    });
    expect(report).toMatchObject({ failed: 0, unpaid: 0, unmailed: 0 });
  },
  TEST_MS_MAX,
);

test(
  'kill -9 of the replica: reads continue on the primary',
  async () => {
    const report = await underLoad('kill -9 of the replica', async () => {
      await standby.kill();
      await delay(5_000);
      await standby.restart();
      await standby.caughtUp();
    });
    expect(report).toMatchObject({ unpaid: 0, unmailed: 0 });
  },
  TEST_MS_MAX,
);

test(
  'a restart of PgBouncer loses no charge',
  async () => {
    const report = await underLoad('restart of PgBouncer', () => pooler.restart());
    expect(report).toMatchObject({ unpaid: 0, unmailed: 0 });
  },
  TEST_MS_MAX,
);
