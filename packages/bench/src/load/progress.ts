import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 50;
const WRITE_MS = 100;
const WRITTEN = 50;

/** Something that goes on beside the load. */
export interface Background<T> {
  stop(): Promise<T>;
}

/** Numbers that grow as long as a job is done, by the name of the job. */
const PROGRESS = {
  publisher: 'SELECT coalesce(max(position), 0) AS value FROM venture.signal',
  'facet index': 'SELECT coalesce(max(version), 0) AS value FROM venture.facet_state',
  drain: 'SELECT count(*) AS value FROM access.charge',
} as const;

/**
 * Changes the team size of startups, which is a signal and a facet, ten times a second. `stop`
 * resolves with the number of changes.
 */
export function writeChanges(connectionString: string): Background<number> {
  return repeat(connectionString, WRITE_MS, async (client, turn) => {
    await client.query(
      `UPDATE venture.startup SET members_count = CASE members_count WHEN 3 THEN 700 ELSE 3 END
       WHERE id = (SELECT id FROM venture.startup WHERE deleted_at IS NULL
         ORDER BY id OFFSET $1 LIMIT 1)`,
      [turn % WRITTEN],
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

/** Repeats work on a connection of its own; `stop` resolves with how often. */
function repeat(
  connectionString: string,
  everyMs: number,
  work: (client: pg.Client, turn: number) => Promise<void>,
): Background<number> {
  let isOver = false;
  const run = async (): Promise<number> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    let turn = 0;
    try {
      for (; !isOver; turn++) {
        await work(client, turn);
        await delay(everyMs);
      }
      return turn;
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
      return running;
    },
  };
}
