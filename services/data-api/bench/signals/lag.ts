import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { grouped, quantile, say, timed, withClient } from '@vcds/test-kit/bench';
import { writeStartups } from '@vcds/test-kit/startup-lines';
import type pg from 'pg';
import { startBenchPublisher } from './bench-api.ts';

const command = fileURLToPath(
  new URL('../../../../../../packages/importer/dist/cli.js', import.meta.url),
);
const PROBE_EVERY_MS = 25;
const POLL_EVERY_MS = 2;
const ROWS_AT_ONCE = 1_000;

/**
 * How long after its commit a change is visible in the feed: with nothing else going on, while an
 * import writes as fast as it can, and while plain statements write as fast as they can.
 */
export async function measureLag(url: string, startups: number): Promise<void> {
  const publisher = startBenchPublisher(url);
  const folder = await mkdtemp(join(tmpdir(), 'bench-signals-'));
  try {
    const file = join(folder, 'startups.ndjson');
    await writeStartups(file, startups);
    await report('nothing else', url, () => delay(5_000));
    await report('an import of startups', url, () => importFile(url, file));
    await report('plain inserts of news', url, () => insertNews(url, startups * 2));
  } finally {
    await publisher.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `npm run ingest` in a process of its own, as a user does. */
async function importFile(url: string, file: string): Promise<void> {
  const child = spawn(process.execPath, ['--max-old-space-size=192', command, file, '--json'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the import ended with ${code}`);
}

async function report(name: string, url: string, load: () => Promise<unknown>): Promise<void> {
  const before = await applied(url);
  const over = new AbortController();
  const probing = withClient(url, (client) => probe(client, over.signal));
  const seconds = (await timed(load)) / 1000;
  over.abort();
  const lags = await probing;
  const drainedMs = await withClient(url, (client) =>
    timed(() => untilPublished(client, POLL_EVERY_MS)),
  );
  const signals = (await applied(url)) - before;
  say(
    `${name.padEnd(24)} ${grouped(signals / seconds)} signals/s for ` +
      `${seconds.toFixed(0)} s; lag of ${lags.length} probes: p50 ${quantile(lags, 0.5).toFixed(0)} ` +
      `p90 ${quantile(lags, 0.9).toFixed(0)} p99 ${quantile(lags, 0.99).toFixed(0)} longest ` +
      `${quantile(lags, 1).toFixed(0)} ms; backlog gone ${drainedMs.toFixed(0)} ms after the end`,
  );
}

/** Commits one change after another; milliseconds until each is in the feed. */
async function probe(client: pg.Client, over: AbortSignal): Promise<number[]> {
  const lags: number[] = [];
  while (!over.aborted) {
    const id = randomUUID();
    await client.query('INSERT INTO venture.fund (id, name) VALUES ($1, $2)', [id, 'Probe']);
    const visible = async () => {
      while (!(await isPublished(client, id))) await delay(POLL_EVERY_MS);
    };
    lags.push(await timed(visible));
    await delay(PROBE_EVERY_MS);
  }
  return lags;
}

async function isPublished(client: pg.Client, id: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    name: 'is published',
    text: 'SELECT EXISTS (SELECT FROM venture.signal WHERE subject_id = $1) AS found',
    values: [id],
  });
  return rows[0]?.found === true;
}

const insertNews = (url: string, rows: number): Promise<void> =>
  withClient(url, async (client) => {
    const startups = await client.query('SELECT id FROM venture.startup LIMIT 1000');
    const ids = startups.rows.map(({ id }) => id);
    for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
      await client.query(
        `INSERT INTO venture.news (title, date, startup_id)
         SELECT 'News', '2024-01-01', ($1::uuid[])[1 + n % $3] FROM generate_series(1, $2::int) n`,
        [ids, ROWS_AT_ONCE, ids.length],
      );
    }
  });

const applied = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM venture.signal)
         + (SELECT count(*) FROM venture.signal_outbox) AS count`,
    );
    return Number(rows[0].count);
  });

/** Polls until every committed change is published. */
export async function untilPublished(client: pg.Client, everyMs: number): Promise<void> {
  const isWaiting = async () =>
    (await client.query('SELECT EXISTS (SELECT FROM venture.signal_outbox) AS w')).rows[0]?.w;
  while (await isWaiting()) await delay(everyMs);
}
