import { fileURLToPath } from 'node:url';
import { createLogger } from '@vcds/service-kit';
import { type ColumnarEngineOptions, ColumnarFacetEngine } from '../../src/index.ts';

/** Arguments of node for threads that run the TypeScript sources. */
export const THREAD_ARGUMENTS = [
  '--import',
  fileURLToPath(new URL('typescript-threads.mjs', import.meta.url)),
];

/** The engine with threads, as a test starts it. */
export function columnarEngine(
  connectionString: string,
  options: Partial<ColumnarEngineOptions> = {},
): ColumnarFacetEngine {
  return new ColumnarFacetEngine({
    connection: { connectionString, application_name: 'data-api facets' },
    logger: createLogger({ service: 'test', level: 'silent' }),
    threads: 2,
    pollMs: 20,
    execArgv: THREAD_ARGUMENTS,
    ...options,
  });
}

/** Waits until something holds; at most 20 s. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const startedMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedMs > 20_000)
      throw new Error(`In 20 s it never came to: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A look at a database and the pause behind it, where nothing stalls. */
const LOOK_MS = 25;
const PAUSE_MS = 20;

/**
 * Waits until something holds that is asked of a database; fails where that takes longer than it
 * may. Looks are counted for the time they take: a machine that stalls stalls them, too.
 */
export async function untilWithin(
  msMax: number,
  holds: () => Promise<boolean>,
  what: string,
): Promise<void> {
  for (let looksLeft = msMax / LOOK_MS; !(await holds()); looksLeft--) {
    if (looksLeft <= 0) throw new Error(`In ${msMax} ms it did not come to: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
