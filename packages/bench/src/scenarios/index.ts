import { PROCESS_SCENARIOS } from './processes.ts';
import type { Scenario } from './scenario.ts';
import { STORE_SCENARIOS } from './stores.ts';

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [...PROCESS_SCENARIOS, ...STORE_SCENARIOS];
