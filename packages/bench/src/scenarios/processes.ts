import { setTimeout as delay } from 'node:timers/promises';
import { eventually, withClient } from '@vcds/test-kit/bench';
import type { Member } from '../topology/member.ts';
import { SECRETS } from '../topology/secrets.ts';
import { sessionOf, stoppedAt } from '../topology/sessions.ts';
import type { Topology } from '../topology/topology.ts';
import { NO_FAILURE, type Scenario } from './scenario.ts';
import { startSite } from './site.ts';

/** How long a killed process is gone. */
const GONE_MS = 2_000;
/** Longer than every time limit after which another process takes over. */
const FROZEN_MS = 20_000;
/** Two batches of the sweep; the visits of a batch are stored together. */
const SWEPT_SITES = 200;
const SWEEP_MS_MAX = 120_000;

async function killed({ proxy }: Topology, member: Member | undefined): Promise<void> {
  await member?.kill();
  await delay(GONE_MS);
  await member?.start();
  if (/api/.test(member?.program ?? '')) await proxy.untilUp(member?.name ?? '');
}

/** Kills the process whose session waits for a lock of the table in the middle of its work. */
async function killedAt(topology: Topology, table: string, session: string): Promise<void> {
  const { member, release } = await stoppedAt(topology, table, session);
  await member.kill();
  await release();
  await delay(GONE_MS);
  await member.start();
  if (member.program === 'data-api') await topology.proxy.untilUp(member.name);
}

export const PROCESS_SCENARIOS: readonly Scenario[] = [
  {
    name: 'rolling-restart',
    title: 'rolling restart of every process, and reload of haproxy',
    expected: NO_FAILURE,
    run: async (topology) => {
      await topology.rollingRestart();
      const servers = [...topology.membersOf('data-api'), ...topology.membersOf('access-api')];
      await topology.proxy.reload(servers.map(({ name }) => name));
    },
  },
  {
    name: 'rotate-secrets',
    title: 'all secrets replaced, in three rolling restarts',
    expected: NO_FAILURE,
    run: async (topology) => {
      for (const step of SECRETS.rotation) {
        topology.change(step);
        await topology.rollingRestart();
      }
    },
  },
  {
    name: 'data-api',
    title: 'kill -9 of a data-api',
    run: (topology) => killed(topology, topology.membersOf('data-api')[2]),
  },
  {
    name: 'publisher',
    title: 'kill -9 of the data worker that publishes signals',
    run: async (topology) =>
      killed(topology, await sessionOf(topology, 'data-worker signal publisher')),
  },
  {
    name: 'publisher-frozen',
    title: 'SIGSTOP of the data worker that publishes signals, 20 s',
    run: async (topology) => {
      const frozen = await sessionOf(topology, 'data-worker signal publisher');
      frozen.freeze();
      await delay(FROZEN_MS);
      frozen.resume();
      await topology.proxy.untilUp(frozen.name);
    },
  },
  {
    name: 'facet-indexer',
    title: 'kill -9 of the data worker that indexes facets, in a batch',
    run: (topology) => killedAt(topology, 'venture.facet_state', 'data-worker facet indexer'),
  },
  {
    name: 'access-api',
    title: 'kill -9 of an access-api',
    run: (topology) => killed(topology, topology.membersOf('access-api')[0]),
  },
  {
    name: 'workers',
    title: 'kill -9 of each worker, one after another',
    expected: NO_FAILURE,
    run: async (topology) => {
      const workers = [...topology.membersOf('worker'), ...topology.membersOf('data-worker')];
      for (const member of workers) await killed(topology, member);
    },
  },
  {
    name: 'drain',
    title: 'kill -9 of the mail worker that drains the ledger, in a batch',
    expected: NO_FAILURE,
    run: (topology) => killedAt(topology, 'access.charge', 'worker'),
  },
  {
    name: 'sweep',
    title: 'kill -9 of the data worker that sweeps sites, in a run',
    expected: NO_FAILURE,
    run: sweepTakenOver,
  },
];

/** Kills the data worker in a run of the sweep, and waits until another one has ended the run. */
async function sweepTakenOver(topology: Topology): Promise<void> {
  const site = await startSite();
  const workers = topology.membersOf('data-worker');
  const restart = async (variables: NodeJS.ProcessEnv): Promise<void> => {
    topology.change(variables);
    for (const worker of workers) await worker.stop();
    await Promise.all(workers.map((worker) => worker.start()));
  };
  try {
    await restart({
      STATUS_SWEEP: 'on',
      STATUS_SWEEP_SCHEDULE: '*/5 * * * * *',
      STATUS_SWEEP_SITES: String(SWEPT_SITES),
      OUTBOUND_TEST_ADDRESS: site.address,
    });
    const running = await sessionOf(topology, 'data-worker status-sweep lock');
    await eventually(async () => (await visits(topology)) > 0);
    await killed(topology, running);
    await eventually(async () => (await visits(topology)) === SWEPT_SITES, {
      timeoutMs: SWEEP_MS_MAX,
    });
  } finally {
    await restart({ STATUS_SWEEP: 'off' });
    await site.close();
  }
}

async function visits({ databases }: Topology): Promise<number> {
  return withClient(databases.primary.url, async (client) => {
    const { rows } = await client.query('SELECT count(*)::int AS count FROM venture.site_visit');
    return Number(rows[0]?.count);
  });
}
