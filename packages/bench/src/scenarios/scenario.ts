import type { Topology } from '../topology/topology.ts';
import type { ScenarioReport } from './run-scenarios.ts';

/** A fault or an operation of the topology under load. */
export interface Scenario {
  /** The argument of `--scenario`. */
  readonly name: string;
  /** For the table. */
  readonly title: string;
  /** Values of its report, in addition to those of every scenario. */
  readonly expected?: Partial<ScenarioReport>;
  /** Whether charges of its last moment may be lost (docs/spec/credits.md 10.10). */
  readonly mayLoseCharges?: boolean;
  /** Changes the topology before the load begins. */
  prepare?(topology: Topology): Promise<unknown>;
  /** Provokes it, and resolves when the topology is whole again. */
  run(topology: Topology): Promise<unknown>;
}

/** Values of the report of every scenario. */
const INTACT = {
  ...{ omitted: 0, chargedTwice: 0, different: 0, chargedErrors: 0, unmailed: 0 },
  ...{ missedSignals: 0, repeatedSignals: 0, unpublished: 0, isCounted: true },
};

/** The values that the report of a scenario must contain. */
export function expectedOf({ expected, mayLoseCharges }: Scenario): Partial<ScenarioReport> {
  return { ...INTACT, ...(mayLoseCharges ? {} : { unpaid: 0 }), ...expected };
}

/** Of scenarios that must not fail a call. */
export const NO_FAILURE = { failed: 0, lostCharged: 0 } as const;
