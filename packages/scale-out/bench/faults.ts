/** `npm run bench -- faults`: faults of the whole topology under constant load, and a table. */
import { BROKER_VARIABLE, benchOptions, openBroker, say, table } from '@vcds/test-kit/bench';
import { openRunner, type ScenarioReport } from './run-scenarios.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { expectedOf, type Scenario } from './scenarios/scenario.ts';
import { startTopology } from './topology/topology.ts';

const HEADS = [
  ...['Scenario', 'Failed', 'Rate', 'Seconds', 'Calls', 'Longest outage, s', 'p50, p99, ms'],
  ...['Twice, lost in the ledger', 'Charged = reported', 'Signals', 'Paused for at most, s'],
];
const TEXT_COLUMNS = 2;
const ALL = 'all';

const { rate, scenario: given } = benchOptions({ rate: 25, scenario: ALL });
const chosen = SCENARIOS.filter(({ name }) => given === ALL || given.split(',').includes(name));
if (chosen.length === 0) {
  throw new RangeError(`--scenario is ${ALL}, or of: ${SCENARIOS.map(({ name }) => name).join()}`);
}
const broker = await openBroker();
try {
  process.env[BROKER_VARIABLE] = broker.url;
  await runAll();
} finally {
  await broker.close();
}

async function runAll(): Promise<void> {
  const topology = await startTopology();
  try {
    const runner = await openRunner(topology, rate);
    const rows: (readonly unknown[])[] = [];
    for (const scenario of chosen) {
      try {
        const report = await runner.run(scenario);
        process.stderr.write(`${JSON.stringify(report)}\n`);
        rows.push(rowOf(scenario, report));
      } catch (error) {
        process.stderr.write(`${scenario.name}: ${String(error)}\n`);
        rows.push([scenario.title, '**did not end**', ...Array(HEADS.length - 2).fill('')]);
        process.exitCode = 1;
        for (const member of topology.members) await member.start();
      }
    }
    say(table(HEADS, rows, TEXT_COLUMNS));
    await runner.untilBalanced();
    say('\nThe balance of every account equals the ledger.');
  } finally {
    await topology.close();
  }
}

function rowOf(scenario: Scenario, report: ScenarioReport): readonly unknown[] {
  const expected: Readonly<Record<string, unknown>> = expectedOf(scenario);
  const wrong = Object.entries(report).filter(
    ([name, value]) => expected[name] !== undefined && expected[name] !== value,
  );
  const notes = wrong.map(([name, value]) => `**${name} ${value}**`);
  if (notes.length > 0) process.exitCode = 1;
  const failures = Object.entries(report.failures).map(([status, count]) => `${status} × ${count}`);
  const feed = [report.missedSignals, report.repeatedSignals, report.unpublished];
  const paused = Object.entries(report.pausedMs);
  return [
    [scenario.title, ...notes].join(' '),
    failures.join(', ') || 'none',
    ...[rate, report.seconds, report.calls, seconds(report.outageMs)],
    `${report.p50Ms}, ${report.p99Ms}`,
    `${report.chargedTwice + report.different}, ${report.unpaid}`,
    `${report.ledger} = ${report.reported}`,
    feed.some((count) => count !== 0) ? feed.join(', ') : 'complete',
    paused.map(([job, ms]) => `${job} ${seconds(ms)}`).join(', '),
  ];
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
