import type { Logger } from '@vcds/service-kit';
import { FacetIndexer } from './facet-indexer.ts';

export interface CatchUpOptions {
  /** The primary: it is written. */
  readonly connectionString: string;
  readonly logger: Logger;
  /** Ends between two batches. */
  readonly signal?: AbortSignal;
}

/**
 * Applies the log of facets until it is empty, for commands that write much at once: who asks next
 * finds everything counted. Where a running data-api is at it, waits for that.
 */
export async function catchUpFacets({ signal, ...options }: CatchUpOptions): Promise<void> {
  const indexer = new FacetIndexer(options);
  try {
    while (!signal?.aborted) {
      const { status } = await indexer.applyOnce();
      if (status === 'idle') return;
      if (status === 'busy') await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await indexer.close();
  }
}
