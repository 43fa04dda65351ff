import { setTimeout as delay } from 'node:timers/promises';
import { eventually, withClient } from '@vcds/test-kit/bench';
import { type Audit, audit, type LoadAccount, untilBalanced } from '../load/audit.ts';
import { callSource, type Target } from '../load/calls.ts';
import { type FeedAudit, followFeed } from '../load/follow-feed.ts';
import { type Outcome, startLoad } from '../load/load.ts';
import { watchProgress, writeChanges } from '../load/progress.ts';
import type { Topology } from '../topology/topology.ts';
import type { Scenario } from './scenario.ts';

/** Accounts, so that every node of the cluster has some. */
const ACCOUNTS = 24;
/** Calls before the first scenario, since a process that has just started is slow. */
const WARM_UP_MS = 15_000;
const BEFORE_MS = 3_000;
const AFTER_MS = 3_000;
const COUNTED_MS_MAX = 20_000;
const EXAMPLES = 10;

/** The effects of a scenario on calls, ledger, feed, facets and background jobs. */
export interface ScenarioReport extends Audit, FeedAudit {
  readonly scenario: string;
  readonly seconds: number;
  /** Calls that did not begin, because too many were under way. */
  readonly omitted: number;
  /** Whether the counts of the facets equal the records in the end. */
  readonly isCounted: boolean;
  /** The longest time in ms for which each background job made no progress. */
  readonly pausedMs: Readonly<Record<string, number>>;
  /** The first failed calls. */
  readonly examples: readonly Outcome[];
}

/** Runs scenarios on one topology, one after another. */
export interface ScenarioRunner {
  run(scenario: Scenario): Promise<ScenarioReport>;
  /** Resolves once every balance equals the ledger; at most two minutes. */
  untilBalanced(): Promise<void>;
}

/** Creates the accounts of the load, and lets it run for a while. */
export async function openRunner(
  topology: Topology,
  callsPerSecond: number,
): Promise<ScenarioRunner> {
  const specs = Array.from({ length: ACCOUNTS + 1 }, () => ({ plan: 'scale', keys: [{}] }));
  const issued = await topology.issue(...specs);
  const [follower, ...accounts] = issued.map(
    ({ accountId, keys }): LoadAccount => ({ accountId, apiKey: keys[0]?.apiKey ?? '' }),
  );
  const apiKeys = accounts.map(({ apiKey }) => apiKey);
  const callOf = await callSource(topology, apiKeys);
  const { primary } = topology.databases;
  const warmUp = startLoad({ callOf, callsPerSecond });
  await delay(WARM_UP_MS);
  let firstTurn = (await warmUp.stop()).length + warmUp.omitted();
  const run = async (scenario: Scenario): Promise<ScenarioReport> => {
    const startedMs = performance.now();
    const from = firstTurn;
    await scenario.prepare?.(topology);
    const feed = await followFeed(topology, follower?.apiKey ?? '');
    const load = startLoad({ callOf: (turn) => callOf(from + turn), callsPerSecond });
    const writer = writeChanges(primary.urlOf('vcds_importer'));
    const progress = watchProgress(primary.url);
    const end = async () => {
      const outcomes = await load.stop();
      firstTurn += outcomes.length + load.omitted();
      const pausedMs = await progress.stop();
      await writer.stop();
      return { outcomes, pausedMs, ...(await feed.stop()) };
    };
    try {
      await delay(BEFORE_MS);
      await scenario.run(topology);
      await delay(AFTER_MS);
    } catch (error) {
      await end();
      throw error;
    }
    const { outcomes, ...ended } = await end();
    return {
      scenario: scenario.name,
      ...(await audit(topology, outcomes)),
      ...ended,
      omitted: load.omitted(),
      isCounted: await isCounted(topology, apiKeys[0] ?? ''),
      examples: outcomes.filter(({ isExpected }) => !isExpected).slice(0, EXAMPLES),
      seconds: Math.round((performance.now() - startedMs) / 1_000),
    };
  };
  return { run, untilBalanced: () => untilBalanced(topology, accounts) };
}

/** Whether the facets count the records that the writer changed, at the latest after 20 s. */
export async function isCounted({ databases, dataUrl }: Target, apiKey: string): Promise<boolean> {
  const expected = await withClient(databases.primary.url, async (client) => {
    const text = `SELECT count(*)::int AS count FROM venture.startup
      WHERE deleted_at IS NULL AND members_count BETWEEN 501 AND 1000`;
    return (await client.query<{ count: number }>(text)).rows[0]?.count;
  });
  const counted = async (): Promise<boolean> => {
    const url = `${dataUrl}/v2/categories/team_size?entity=startups`;
    const answer = await fetch(url, { headers: { 'X-Api-Key': apiKey } });
    const { values } = (await answer.json()) as {
      readonly values: readonly { readonly slug: string; readonly count: number }[];
    };
    return values.find(({ slug }) => slug === '501-1000')?.count === expected;
  };
  return eventually(counted, { timeoutMs: COUNTED_MS_MAX, intervalMs: 200 }).then(
    () => true,
    () => false,
  );
}
