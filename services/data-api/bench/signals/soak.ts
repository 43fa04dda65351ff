import { fileURLToPath } from 'node:url';
import { say, withClient } from '@vcds/test-kit/bench';
import { openBenchApi } from './bench-api.ts';
import { Follower } from './follower.ts';
import { untilPublished } from './lag.ts';
import { Publishers } from './publishers.ts';
import { write } from './writers.ts';

const folder = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Completeness under fire: 24 writers, stalls, roll-backs, two publishers of which the leading one
 * is killed again and again, and one follower over HTTP.
 *
 * @throws Error when a change is missing, comes twice or out of order, or a closed window changed.
 */
export async function soak(url: string, changesMin: number): Promise<void> {
  const api = await openBenchApi(url);
  const publishers = new Publishers(folder, url, 2_000);
  const follower = new Follower(api.page, '2020-01-01');
  let isOver = false;
  const following = follower.follow(() => isOver);
  const startedMs = performance.now();
  try {
    const written = await write({
      url,
      writers: 24,
      changesMin,
      changesPerTransaction: 100,
      sharedStartups: 40_000,
      stallMsMax: 100,
      rollbackShare: 0.05,
      seed: 1,
    });
    const seconds = (performance.now() - startedMs) / 1000;
    publishers.spare();
    await withClient(url, (client) => untilPublished(client, 20));
    isOver = true;
    await following;
    const faults = [...follower.check(written.expected), ...(await follower.checkWindows()).faults];
    say(
      `${written.expected.size} changes committed in ${written.transactions} transactions, ` +
        `${written.rolledBack} more rolled back, in ${seconds.toFixed(0)} s; publishers killed ` +
        `${publishers.kills} times; the follower got ${follower.ids.length} signals; ` +
        `${faults.length} faults`,
    );
    if (faults.length > 0) throw new Error(faults.slice(0, 10).join('\n'));
  } finally {
    isOver = true;
    await publishers.close();
    await api.close();
  }
}
