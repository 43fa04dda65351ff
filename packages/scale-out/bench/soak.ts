/**
 * `npm run bench -- soak`: the product under a mixed load for a long time. It states for memory, latency,
 * sizes of tables, queues and connections whether they grow, compares the rows that are added by
 * design with their exact number, and in the end balances, feed and stored values with the records.
 *
 * Options: `--minutes=30`, `--rate=40` calls a second, `--warm-up=5` minutes that the trends leave out,
 * `--startups=2000` of demonstration data, or `--data=DIR` of `npm run bench -- corpus` (it changes the
 * records: use a copy).
 */
import { benchOptions, say } from '@vcds/test-kit/bench';
import { reportOf } from './soak/report.ts';
import { runSoak } from './soak/run.ts';

const MINUTES_MIN = 3;
const options = benchOptions({ minutes: 30, rate: 40, 'warm-up': 5, startups: 2_000, data: '' });
const { minutes, rate, startups, data } = options;
const warmUp = Math.min(options['warm-up'], minutes / 3);
if (!(minutes >= MINUTES_MIN)) throw new RangeError(`--minutes is at least ${MINUTES_MIN}`);

const { text, faults } = reportOf(await runSoak({ minutes, rate, startups, data }), warmUp);
say(text);
if (faults.length > 0) process.exitCode = 1;
