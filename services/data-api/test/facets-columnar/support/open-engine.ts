import { fileURLToPath } from 'node:url';
import { createLogger } from '@vcds/service-kit';
import {
  type ColumnarEngineOptions,
  ColumnarFacetEngine,
} from '../../../src/facets/columnar/index.ts';

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
    connectionString,
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
