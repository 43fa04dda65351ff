/**
 * Measures calls of paying accounts quiet, beside a disturbance and after it: p50 and p99 of each kind
 * of call, their ratio to the quiet time, and the calls that failed. All on 127.0.0.1.
 *
 * Run with `npm run bench -- beside --data=DIR`, after `npm run bench -- corpus --data=DIR`.
 * Options: `--only=NAME,…` of the disturbances, `--seconds=30` of each, `--rate=40` calls a second,
 * `--buffers=1GB` of PostgreSQL.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openDataFolder } from '@vcds/test-kit/bench';
import { callKinds } from './beside/call-kinds.ts';
import { type Calls, playKinds } from './beside/callers.ts';
import { DISTURBANCES } from './beside/disturbances.ts';
import { chosen } from './report/chosen.ts';
import { openBed } from './support/bed.ts';
import { benchOptions, folderOption, quantile, say, table } from './support/figures.ts';

const ACCOUNTS = 10;
const WARM_UP_SECONDS = 10;
/** Between two disturbances, so that the first has no effect on the second. */
const REST_MS = 5_000;
const HEADS = ['quiet p50 / p99', 'beside p50 / p99', 'after p50 / p99', 'p99 beside : quiet'];

const options = benchOptions({ data: '', only: '', seconds: 30, rate: 40, buffers: '1GB' });
const disturbances = Object.entries(chosen(DISTURBANCES, options.only));
const folder = await openDataFolder(folderOption(options.data), {
  shared_buffers: options.buffers,
});
const bed = await openBed(folder.url);
try {
  const apiKeys = await bed.issueKeys('scale', ACCOUNTS);
  const [freeKey = ''] = await bed.issueKeys('free', 1);
  const { root } = await bed.startDataApi();
  await bed.start('data-worker');
  const kinds = await callKinds(folder.url, root, apiKeys[0] ?? '');
  const measure = (seconds: number) =>
    playKinds({ root, apiKeys, kinds, rate: options.rate, seconds });
  await measure(WARM_UP_SECONDS);
  for (const [name, disturb] of disturbances) {
    await delay(REST_MS);
    const quiet = await measure(options.seconds);
    const ended = disturb({
      ...{ databaseUrl: folder.url, root, accessUrl: bed.accessUrl, freeKey },
      seconds: options.seconds,
    });
    const beside = await measure(options.seconds);
    const note = await ended;
    const after = await measure(options.seconds);
    const rows = kinds.map(({ title }) => rowOf(title, [quiet, beside, after]));
    say(`\n### ${name}: ${note}\n`);
    say(table(['Call', ...HEADS, 'Failed'], rows));
  }
} finally {
  await bed.close();
  await folder.close();
}

function rowOf(title: string, phases: readonly ReadonlyMap<string, Calls>[]): readonly string[] {
  const calls = phases.map((phase) => phase.get(title) ?? { latencyMs: [], failed: new Map() });
  const p99 = calls.map(({ latencyMs }) => quantile(latencyMs, 0.99));
  const cells = calls.map(({ latencyMs }) =>
    [0.5, 0.99].map((share) => quantile(latencyMs, share).toFixed(1)).join(' / '),
  );
  const failures = calls.flatMap(({ failed }) => [...failed]);
  const failed = failures.map(([status, count]) => `${count} × ${status}`).join(', ');
  return [title, ...cells, ((p99[1] ?? 0) / (p99[0] ?? 0)).toFixed(1), failed || '0'];
}
