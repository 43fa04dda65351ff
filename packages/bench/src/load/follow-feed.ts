import { setTimeout as delay } from 'node:timers/promises';
import { eventually, withClient } from '@vcds/test-kit/bench';
import type { Target } from './calls.ts';
import type { Background } from './progress.ts';

/** Signals that a consumer received, compared with those of the feed. */
export interface FeedAudit {
  /** Signals of the feed that it did not receive, and signals that it received twice. */
  readonly missedSignals: number;
  readonly repeatedSignals: number;
  /** Changes of companies that committed meanwhile and are not in the feed. */
  readonly unpublished: number;
}

interface Page {
  readonly signals: readonly { readonly id: string }[];
  readonly nextCursor: string;
}

const POLL_MS = 100;
const PAGE = 200;
const CAUGHT_UP_MS_MAX = 30_000;
/** The end of the feed, the instant after it, and the sum of all revisions of companies. */
const STATE = `SELECT coalesce(max(position), 0)::int AS position,
    to_char(coalesce(max(detected_at) + interval '1 microsecond', now()) AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS instant,
    (SELECT sum(revision) FROM (SELECT revision FROM venture.startup
      UNION ALL SELECT revision FROM venture.fund) r)::int AS revisions
  FROM venture.signal`;

interface State {
  readonly position: number;
  readonly instant: string;
  readonly revisions: number;
}

/**
 * Follows the feed from its end by cursors, as a consumer does: after an error it repeats the call
 * with the same cursor. `stop` resolves once the consumer has all that was published.
 */
export async function followFeed(
  { databases, dataUrl }: Target,
  apiKey: string,
): Promise<Background<FeedAudit>> {
  const query = <T>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
    withClient(databases.primary.url, async (client) => {
      const { rows } = await client.query(text, [...values]);
      return rows as T[];
    });
  await untilPublished(query);
  const stateOf = async (): Promise<State> => {
    const [state] = await query<State>(STATE);
    if (state === undefined) throw new Error('The state of the feed is missing.');
    return state;
  };
  const before = await stateOf();
  const received: string[] = [];
  let isOver = false;
  const path = `/v2/signals?order=asc&limit=${PAGE}&since=${before.instant}`;
  let cursor = '';
  const poll = async (): Promise<void> => {
    const answer = await fetch(`${dataUrl}${path}${cursor}`, {
      headers: { 'X-Api-Key': apiKey },
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { signals, nextCursor } = (await answer.json()) as Page;
    received.push(...signals.map(({ id }) => id));
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  };
  const run = async (): Promise<void> => {
    while (!isOver) {
      await poll().catch(() => undefined);
      await delay(POLL_MS);
    }
  };
  const running = run();
  const published = async (): Promise<readonly string[]> => {
    const text = 'SELECT id FROM venture.signal WHERE position > $1 ORDER BY position';
    return (await query<{ id: string }>(text, [before.position])).map(({ id }) => id);
  };
  return {
    stop: async () => {
      await untilPublished(query);
      const expected = await published();
      const last = expected.at(-1);
      await eventually(() => last === undefined || received.includes(last), {
        timeoutMs: CAUGHT_UP_MS_MAX,
      }).catch(() => undefined);
      isOver = true;
      await running;
      const { revisions } = await stateOf();
      const distinct = new Set(received);
      return {
        missedSignals: expected.filter((id) => !distinct.has(id)).length,
        repeatedSignals: received.length - distinct.size,
        unpublished: revisions - before.revisions - expected.length,
      };
    },
  };
}

async function untilPublished(query: <T>(text: string) => Promise<T[]>): Promise<void> {
  await eventually(
    async () => (await query('SELECT FROM venture.signal_outbox LIMIT 1')).length === 0,
    { timeoutMs: CAUGHT_UP_MS_MAX },
  );
}
