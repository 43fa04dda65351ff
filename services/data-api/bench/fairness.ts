/**
 * Measures the effect of 40 hostile clients with one free key on calls of other accounts: their
 * latency without and with them, in alternation, and the number of failures.
 *
 * `npm run bench -- fairness`. Options: `--startups=N` (100,000), `--turns=N` (3) of
 * `--seconds=N` (20), `--calls=N` a second of the others (40), `--unbounded` to compare with no
 * share and no shorter time limit.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { benchOptions, quantile } from '@vcds/test-kit/bench';
import { openMeteringBed } from './metering/bed.ts';
import { type Load, playLoad } from './metering/load.ts';

const ACCOUNTS = 8;
const CLIENTS = 8;
/** The calls of the other accounts. */
const PATHS = [
  '/startups?$top=25',
  '/startups?$top=25&$filter=Founded%20ge%202005&$orderby=Name',
  '/startups/search?q=startup%204711',
  '/categories/city?country=France&top=20',
  '/startups?$top=10&$filter=Name%20like%20%27startup%2047%25%27',
];
const options = benchOptions({
  startups: 100_000,
  turns: 3,
  seconds: 20,
  calls: 40,
  unbounded: false,
});
const durationMs = options.seconds * 1_000;

const bed = await openMeteringBed({ startups: options.startups });
try {
  const keys = await bed.issueKeys('scale', ACCOUNTS);
  await measure('fair share', {});
  if (options.unbounded) {
    // As if there were one account: it can use all connections.
    const all = { ACCOUNT_CONNECTIONS: '10', SCAN_TIMEOUT_MS: '10000' };
    await measure('no share', all);
  }

  async function measure(title: string, settings: NodeJS.ProcessEnv): Promise<void> {
    const [hostileKey = ''] = await bed.issueKeys('free', 1);
    const { root: baseUrl } = await bed.startDataApi(settings);
    await playOthers(baseUrl, keys);
    const quiet: Load[] = [];
    const attacked: Load[] = [];
    const hostile = new Map<string, number>();
    for (let turn = 0; turn < options.turns; turn++) {
      quiet.push(await playOthers(baseUrl, keys));
      const attack = attackWith(baseUrl, hostileKey);
      attacked.push(await playOthers(baseUrl, keys));
      for (const [status, count] of Object.entries(await attack)) {
        hostile.set(status, (hostile.get(status) ?? 0) + count);
      }
    }
    report(`${title}, quiet`, quiet);
    report(`${title}, attacked`, attacked);
    process.stdout.write(`  hostile calls by status: ${text(hostile)}\n`);
  }
} finally {
  await bed.close();
}

function playOthers(baseUrl: string, keys: readonly string[]): Promise<Load> {
  const urls = PATHS.map((path) => `${baseUrl}${path}`);
  return playLoad(urls, keys, {
    clients: CLIENTS,
    durationMs,
    callsPerSecond: options.calls,
  });
}

/** Statuses of the hostile calls, once they end. */
async function attackWith(baseUrl: string, apiKey: string): Promise<Record<string, number>> {
  const program = fileURLToPath(new URL('fairness/hostile.js', import.meta.url));
  const child = fork(program, [baseUrl, apiKey, String(options.seconds)]);
  const [statuses] = (await once(child, 'message')) as [Record<string, number>];
  return statuses;
}

function report(title: string, loads: readonly Load[]): void {
  const latencyMs = loads.flatMap((load) => load.latencyMs);
  const statuses = new Map<string, number>();
  for (const load of loads) {
    for (const [status, count] of load.statuses) {
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + count);
    }
  }
  const figures = [0.5, 0.99].map(
    (share) => `p${share * 100} ${quantile(latencyMs, share).toFixed(1)} ms`,
  );
  process.stdout.write(`${title}: ${figures.join(' · ')} · ${text(statuses)}\n`);
}

function text(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(', ');
}
