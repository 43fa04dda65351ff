/**
 * Measures the recovery from a stall of PostgreSQL: clients call the API without a pause, and in the
 * middle a transaction locks the table of startups. Prints the calls per second and the processor
 * time of PostgreSQL for each call before and after, and the time until the speed of before.
 *
 * Run with `npm run bench -- stall --data=DIR`, after `npm run bench -- corpus --data=DIR`.
 * Options: `--seconds=120`, `--stall=3` seconds, `--clients=32`.
 */
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  benchOptions,
  openDataFolder,
  quantile,
  say,
  table,
  withClient,
} from '@vcds/test-kit/bench';
import { familyProcessorMs } from './collections/processor.ts';
import { readExamples } from './corpus/describe-corpus.ts';
import { httpGet } from './http-get.ts';
import { openMeteringBed } from './metering/bed.ts';

/** The speed of before: this share of its median. */
const RECOVERED = 0.9;

const options = benchOptions({ data: '', seconds: 120, stall: 3, clients: 32 });
if (options.data === '') throw new Error('Name the folder of the data: --data=DIR');

const folder = await openDataFolder(options.data, { shared_buffers: '1GB' });
const bed = await openMeteringBed({ databaseUrl: folder.url });
try {
  const keys = await bed.issueKeys('scale', options.clients);
  const { root } = await bed.startDataApi({});
  const examples = await readExamples(folder.url);
  const equal = encodeURIComponent(`City eq '${examples['most frequent city']}'`);
  const urls = [
    `${root}/startups/${examples['a startup with rounds']}`,
    `${root}/startups?$filter=Founded%20ge%202015&$orderby=Founded%20desc`,
    `${root}/startups?$filter=${equal}&$orderby=Founded%20desc`,
    `${root}/startups?$filter=${equal}&$count=true`,
  ];
  await play(urls, keys, options.seconds / 10);
  const before = await play(urls, keys, options.seconds / 2);
  const [stalled] = await Promise.all([play(urls, keys, options.stall), stall()]);
  const after = await play(urls, keys, options.seconds / 2);
  const speed = quantile(before.perSecond, 0.5);
  const recovered = after.perSecond.findIndex((calls) => calls >= RECOVERED * speed);
  const rows = Object.entries({ before, stalled, after }).map(([name, part]) => [
    name,
    quantile(part.perSecond, 0.5),
    part.postgresMs.toFixed(2),
    JSON.stringify(Object.fromEntries(part.statuses)),
  ]);
  say(table(['', 'calls/s, median', 'PostgreSQL ms a call', 'statuses'], rows));
  say(`\nAt ${RECOVERED * 100} % of the speed of before after ${recovered + 1} s.`);
} finally {
  await bed.close();
  await folder.close();
}

/** Calls in each second, and the processor time of PostgreSQL for each call. */
async function play(urls: readonly string[], keys: readonly string[], seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const perSecond = Array.from({ length: Math.ceil(seconds) }, () => 0);
  const statuses = new Map<number, number>();
  const [startedMs, processor] = [performance.now(), familyProcessorMs(folder.pid)];
  const client = async (number: number) => {
    const headers = { 'X-Api-Key': keys[number % keys.length] ?? '' };
    for (let turn = number; performance.now() - startedMs < seconds * 1_000; turn += 1) {
      const { status } = await httpGet(urls[turn % urls.length] ?? '', { agent, headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const second = Math.floor((performance.now() - startedMs) / 1_000);
      if (second < perSecond.length) perSecond[second] = (perSecond[second] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: options.clients }, (_, number) => client(number)));
  agent.destroy();
  const calls = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return { perSecond, statuses, postgresMs: (familyProcessorMs(folder.pid) - processor) / calls };
}

async function stall(): Promise<void> {
  await withClient(folder.url, async (client) => {
    await client.query('BEGIN; LOCK TABLE venture.startup');
    await delay(options.stall * 1_000);
    await client.query('ROLLBACK');
  });
}
