import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Audit, audit, type LoadAccount, untilBalanced } from '../load/audit.ts';
import { type FeedAudit, followFeed } from '../load/follow-feed.ts';
import { type ConstantLoad, type Outcome, startLoad } from '../load/load.ts';
import { writeChanges } from '../load/progress.ts';
import { isCounted } from '../scenarios/run-scenarios.ts';
import { type Imported, importChanges, registerPeople } from './background.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { writeSnapshot } from './inspector.ts';
import { type MixKeys, mixedCalls } from './mixed-calls.ts';
import { GROWING_TABLES, type Rows, readDifferences, readRows } from './rows.ts';
import { openSampler, type Reading } from './sampler.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Calls a second. */
  readonly rate: number;
  readonly startups: number;
  readonly data: string;
  /** Minutes that the trends leave out. */
  readonly warmUp: number;
  /** A folder for heap snapshots of data-api; '': none. */
  readonly snapshots: string;
}

/** The readings of a minute. */
export interface Sample {
  readonly minute: number;
  readonly readings: readonly Reading[];
}

/** All that a run recorded. */
export interface SoakResult extends SoakOptions {
  readonly samples: readonly Sample[];
  readonly outcomes: readonly Outcome[];
  readonly omitted: number;
  readonly audit: Audit;
  readonly feed: FeedAudit;
  readonly before: Rows;
  readonly after: Rows;
  /** The writes of the load, which determine the number of added rows. */
  readonly written: {
    readonly changes: number;
    readonly keys: number;
    readonly imported: Imported;
  };
  readonly differences: Readonly<Record<string, number>>;
  /** Charges of clients that disconnected; each call has at most one. */
  readonly disconnectedCharges: number;
  readonly isCounted: boolean;
}

const MINUTE_MS = 60_000;
const ACCOUNTS = 97;
const EXHAUSTED = 5;
/** A free account has 500 credits. */
const CALLS_UNTIL_EXHAUSTED_MAX = 100;

/** Starts the product, loads it for the time of the options, and compares what it did. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const deployment = await startDeployment(options.data, options.startups);
  try {
    return await soak(deployment, options);
  } finally {
    await deployment.close();
  }
}

async function soak(deployment: Deployment, options: SoakOptions): Promise<SoakResult> {
  const { databaseUrl, importerUrl } = deployment;
  const { accounts, follower, keys } = await createAccounts(deployment);
  const accountIds = accounts.map(({ accountId }) => accountId);
  const imports = await importChanges(deployment);
  const feed = await followFeed(deployment, follower);
  const sampler = await openSampler(deployment, GROWING_TABLES);
  const before = await readRows(deployment, accountIds);
  const callOf = await mixedCalls(deployment, keys);
  const load = startLoad({ callOf, callsPerSecond: options.rate });
  const writer = writeChanges(importerUrl);
  const people = registerPeople(deployment);
  const samples = await sampleEachMinute(sampler, load, options, deployment);
  const outcomes = await load.stop();
  const written = {
    ...{ changes: await writer.stop(), keys: await people.stop(), imported: await imports.stop() },
  };
  const ended = await feed.stop();
  await sampler.close();
  const audited = await audit(deployment, outcomes);
  await untilBalanced(deployment, accounts);
  const after = await readRows(deployment, accountIds);
  return {
    ...options,
    ...{ samples, outcomes, omitted: load.omitted(), audit: audited, feed: ended },
    ...{ before, after, written },
    differences: await readDifferences(databaseUrl),
    disconnectedCharges:
      after['charges of the load'] - before['charges of the load'] - charged(outcomes),
    isCounted: await isCounted(deployment, keys.apiKeys[0] ?? ''),
  };
}

const charged = (outcomes: readonly Outcome[]): number =>
  outcomes.filter(({ charged = 0 }) => charged > 0).length;

async function sampleEachMinute(
  sampler: Awaited<ReturnType<typeof openSampler>>,
  load: ConstantLoad,
  { minutes, warmUp, snapshots }: SoakOptions,
  { processes }: Deployment,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const dataApi = processes.find(({ name }) => name === 'data-api');
  const snapshotAt = [warmUp, Math.round((warmUp + minutes) / 2), minutes];
  const startedMs = performance.now();
  let seen = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    await delay(Math.max(0, startedMs + minute * MINUTE_MS - performance.now()));
    const outcomes = load.outcomes.slice(seen);
    seen += outcomes.length;
    samples.push({ minute, readings: await sampler.read(outcomes) });
    process.stderr.write(`minute ${minute}: ${outcomes.length} calls\n`);
    if (snapshots === '' || dataApi === undefined || !snapshotAt.includes(minute)) continue;
    await writeSnapshot(dataApi.inspectorUrl, join(snapshots, `minute-${minute}.heapsnapshot`));
  }
  return samples;
}

/** Accounts with credits; one that follows the feed; a narrow key; accounts without credits. */
async function createAccounts(deployment: Deployment) {
  const issued = await deployment.issue(
    ...Array.from({ length: ACCOUNTS + 1 }, () => ({ plan: 'scale', keys: [{}] })),
    { plan: 'scale', keys: [{ scopes: ['news'] }] },
    ...Array.from({ length: EXHAUSTED }, () => ({ plan: 'free', keys: [{}] })),
  );
  const all = issued.map(
    ({ accountId, keys }): LoadAccount => ({ accountId, apiKey: keys[0]?.apiKey ?? '' }),
  );
  const accounts = all.slice(0, ACCOUNTS);
  const [follower, narrow, ...free] = all.slice(ACCOUNTS);
  for (const { apiKey } of free) await exhaust(deployment, apiKey);
  const keys: MixKeys = {
    apiKeys: accounts.map(({ apiKey }) => apiKey),
    narrow: [narrow?.apiKey ?? ''],
    exhausted: free.map(({ apiKey }) => apiKey),
  };
  return { accounts, follower: follower?.apiKey ?? '', keys };
}

async function exhaust({ dataUrl }: Deployment, apiKey: string): Promise<void> {
  for (let turn = 0; turn < CALLS_UNTIL_EXHAUSTED_MAX; turn++) {
    const answer = await fetch(`${dataUrl}/v2/startups?$top=100`, {
      headers: { 'X-Api-Key': apiKey },
    });
    await answer.text();
    if (answer.status === 429) return;
    if (answer.status !== 200) throw new Error(`A free account receives ${answer.status}`);
  }
  throw new Error(`${CALLS_UNTIL_EXHAUSTED_MAX} calls did not exhaust a free account`);
}
