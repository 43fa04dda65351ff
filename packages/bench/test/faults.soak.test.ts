// Tests docs/spec/operations.md 16.3, 16.5.
import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { SCENARIOS } from '../src/scenarios/index.ts';
import { openRunner } from '../src/scenarios/run-scenarios.ts';
import { expectedOf } from '../src/scenarios/scenario.ts';
import { startTopology } from '../src/topology/topology.ts';

const CALLS_PER_SECOND = 10;
const TEST_MS_MAX = 600_000;
const topology = await closedAfterAll(startTopology());
const runner = await openRunner(topology, CALLS_PER_SECOND);

test.each(SCENARIOS.map((scenario) => [scenario.title, scenario] as const))(
  '%s: nothing is lost or charged twice',
  async (_, scenario) => {
    const { examples, ...report } = await runner.run(scenario);
    process.stdout.write(`${JSON.stringify({ ...report, examples })}\n`);
    expect(report).toMatchObject(expectedOf(scenario));
  },
  TEST_MS_MAX,
);

test('the balance of every account equals the ledger', () => runner.untilBalanced(), TEST_MS_MAX);
