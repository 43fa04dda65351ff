/**
 * `npm run bench -- soak`: the product under a mixed load for a long time. It states for memory, latency,
 * sizes of tables, queues and connections whether they grow, compares the rows that are added by
 * design with their exact number, and in the end balances, feed and stored values with the records.
 *
 * Options: `--minutes=30`, `--rate=40` calls a second, `--warm-up=10` minutes that the trends leave out, since
 * caches fill in them, `--startups=2000` of demonstration data, or `--data=DIR` of `npm run bench -- corpus`
 * (it changes the records: use a copy); `--snapshots=DIR` for heap snapshots of data-api after the warm-up,
 * in the middle and at the end.
 */

import { reportOf } from './soak/report.ts';
import { runSoak } from './soak/run.ts';
import { benchOptions, say } from './support/figures.ts';

const MINUTES_MIN = 3;
const options = benchOptions({
  minutes: 30,
  rate: 40,
  'warm-up': 10,
  startups: 2_000,
  data: '',
  snapshots: '',
});
const { minutes, rate, startups, data, snapshots } = options;
const warmUp = Math.min(options['warm-up'], minutes / 3);
if (!(minutes >= MINUTES_MIN)) throw new RangeError(`--minutes is at least ${MINUTES_MIN}`);

const { text, faults } = reportOf(
  await runSoak({ minutes, rate, startups, data, warmUp, snapshots }),
);
say(text);
if (faults.length > 0) process.exitCode = 1;
