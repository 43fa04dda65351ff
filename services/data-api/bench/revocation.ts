/**
 * Measures how soon all processes reject a revoked key: it revokes keys that two processes of the
 * data API have cached, one by one, while clients keep calling with them. It reports the time from
 * the acknowledgement to the last accepted call, and how many calls that began after it were
 * accepted (metered ones: none).
 *
 * Run with `npm run bench -- revocation`. Options: `--keys=N` (200), `--processes=N` (2).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { benchOptions, quantile } from '@vcds/test-kit/bench';
import { openMeteringBed } from './metering/bed.ts';

const FREE = '/pricing';
const METERED = '/startups?$top=1';
/** Calls continue for this long after the first rejection of a key. */
const WATCH_MS = 300;
const options = benchOptions({ keys: 200, processes: 2 });

type Path = typeof FREE | typeof METERED;

interface Passed {
  readonly path: Path;
  readonly begunMs: number;
  readonly answeredMs: number;
}

const bed = await openMeteringBed();
let revoker: ChildProcessWithoutNullStreams | undefined;
try {
  const urls: string[] = [];
  while (urls.length < options.processes) {
    urls.push((await bed.startServer('metered')).url);
  }
  revoker = spawn(process.execPath, [sourceOf('revoke-keys.mjs')], { env: bed.environment });
  revoker.stderr.pipe(process.stderr);
  const acknowledged = createInterface({ input: revoker.stdout })[Symbol.asyncIterator]();
  const { account_id: account = '' } = await bed.admin(['account', 'create', '--plan', 'scale']);
  const effectiveMs: number[] = [];
  const begunAfter = { [FREE]: 0, [METERED]: 0 };
  for (let turn = 0; turn < options.keys; turn++) {
    const { api_key: apiKey = '', key_id: keyId = '' } = await bed.admin(['key', 'issue', account]);
    const passed: Passed[] = [];
    const callers = urls.flatMap((url) =>
      ([FREE, METERED] as const).map((path) => callUntilRejected(url, path, apiKey, passed)),
    );
    // Now every process has cached the key.
    await Promise.all(callers.map(({ warm }) => warm));
    revoker.stdin.write(`${keyId}\n`);
    const { atMs } = JSON.parse((await acknowledged.next()).value) as { atMs: number };
    await Promise.all(callers.map(({ rejected }) => rejected));
    effectiveMs.push(Math.max(0, ...passed.map(({ answeredMs }) => answeredMs - atMs)));
    for (const { path, begunMs } of passed) if (begunMs > atMs) begunAfter[path] += 1;
  }
  process.stdout.write(
    `${effectiveMs.length} keys revoked, ${urls.length} processes: last accepted call ` +
      `p50 ${quantile(effectiveMs, 0.5).toFixed(1)} ms · p99 ${quantile(effectiveMs, 0.99).toFixed(1)} ms · ` +
      `maximum ${Math.max(...effectiveMs).toFixed(1)} ms after the acknowledgement\n` +
      `begun after it and accepted: ${begunAfter[METERED]} metered, ${begunAfter[FREE]} free calls\n`,
  );
} finally {
  revoker?.kill('SIGKILL');
  await bed.close();
}

function callUntilRejected(url: string, path: Path, apiKey: string, passed: Passed[]) {
  let isWarm = (): void => undefined;
  const warm = new Promise<void>((resolve) => {
    isWarm = resolve;
  });
  const run = async (): Promise<void> => {
    for (let rejectedAtMs = Number.POSITIVE_INFINITY; ; ) {
      const begunMs = performance.timeOrigin + performance.now();
      if (begunMs > rejectedAtMs + WATCH_MS) return;
      const answer = await fetch(`${url}${path}`, { headers: { 'X-Api-Key': apiKey } });
      await answer.arrayBuffer();
      if (answer.status === 200) {
        passed.push({ path, begunMs, answeredMs: performance.timeOrigin + performance.now() });
        isWarm();
      } else if (answer.status === 401) {
        rejectedAtMs = Math.min(rejectedAtMs, begunMs);
        await delay(2);
      } else {
        throw new Error(`${path} answers ${answer.status}.`);
      }
    }
  };
  return { warm, rejected: run() };
}

/** The path of a source file of this bench, relative to the compiled file. */
function sourceOf(name: string): string {
  return fileURLToPath(new URL(`../../../bench/metering/${name}`, import.meta.url));
}
