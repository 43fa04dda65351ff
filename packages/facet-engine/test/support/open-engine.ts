import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ColumnarEngineOptions, ColumnarFacetEngine } from '../../src/index.ts';
import { SCHEMA } from './schema.ts';

/** Arguments of node for threads that run the TypeScript sources. */
export const THREAD_ARGUMENTS = [
  '--import',
  fileURLToPath(new URL('typescript-threads.mjs', import.meta.url)),
];

/** An engine with threads over a {@link FacetDatabase}. */
export function columnarEngine(
  connectionString: string,
  options: Partial<ColumnarEngineOptions> = {},
): ColumnarFacetEngine {
  const ignore = () => undefined;
  return new ColumnarFacetEngine({
    schema: SCHEMA,
    connection: { connectionString, application_name: 'facets' },
    logger: { info: ignore, warn: ignore, error: ignore },
    threads: 2,
    pollMs: 20,
    execArgv: THREAD_ARGUMENTS,
    ...options,
  });
}

/** Duration of a query and of the pause after it, on an idle machine. */
const POLL_MS = 25;
const PAUSE_MS = 20;

/**
 * Polls a condition that queries a database; fails if it takes more polls than fit in `msMax`. It
 * counts polls instead of time, because a machine that stalls delays both sides.
 */
export async function untilWithin(
  msMax: number,
  condition: () => Promise<boolean>,
  expected: string,
): Promise<void> {
  for (let pollsLeft = msMax / POLL_MS; !(await condition()); pollsLeft--) {
    if (pollsLeft <= 0) throw new Error(`Not within ${msMax} ms: ${expected}`);
    await delay(PAUSE_MS);
  }
}
