import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 50;
const WRITE_MS = 100;

/** Something that goes on beside the load. */
export interface Background<T> {
  stop(): Promise<T>;
}

/** Numbers that grow as long as a job is done, by the name of the job. */
export const PROGRESS = {
  publisher: 'SELECT coalesce(max(position), 0) AS value FROM venture.signal',
  'facet indexer': 'SELECT coalesce(max(version), 0) AS value FROM venture.facet_state',
  'ledger drain': 'SELECT count(*) AS value FROM access.charge',
} as const;

/** Changes the team size of startups, which is a signal and a facet, ten times a second. */
export function writeChanges(connectionString: string): Background<void> {
  return repeat(connectionString, WRITE_MS, async (client, turn) => {
    await client.query(
      `UPDATE venture.startup SET members_count = $1 WHERE id =
         (SELECT id FROM venture.startup WHERE deleted_at IS NULL ORDER BY id OFFSET $2 LIMIT 1)`,
      [turn % 2 === 0 ? 3 : 700, Math.floor(turn / 2) % 50],
    );
  });
}

/** Polls the numbers of {@link PROGRESS}; the longest time in ms for which each did not grow. */
export function watchProgress(connectionString: string): Background<Record<string, number>> {
  const jobs = Object.entries(PROGRESS).map(([name, text]) => ({
    ...{ name, text, value: -1 },
    ...{ grewAtMs: performance.now(), longestMs: 0 },
  }));
  const polling = repeat(connectionString, POLL_MS, async (client) => {
    for (const job of jobs) {
      const { rows } = await client.query<{ value: string }>(job.text);
      const value = Number(rows[0]?.value);
      const nowMs = performance.now();
      job.longestMs = Math.max(job.longestMs, nowMs - job.grewAtMs);
      if (value !== job.value) job.grewAtMs = nowMs;
      job.value = value;
    }
  });
  return {
    stop: async () => {
      await polling.stop();
      return Object.fromEntries(jobs.map(({ name, longestMs }) => [name, Math.round(longestMs)]));
    },
  };
}

function repeat(
  connectionString: string,
  everyMs: number,
  work: (client: pg.Client, turn: number) => Promise<void>,
): Background<void> {
  let isOver = false;
  const run = async (): Promise<void> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      for (let turn = 0; !isOver; turn++) {
        await work(client, turn);
        await delay(everyMs);
      }
    } finally {
      await client.end();
    }
  };
  const running = run();
  // Reported by `stop`.
  running.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}
