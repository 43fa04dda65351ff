import type { Logger } from '@vcds/service-kit';
import { FacetIndexer } from './facet-indexer.ts';

export interface CatchUpOptions {
  /** The primary. */
  readonly connectionString: string;
  readonly logger: Logger;
  /** Ends between two batches. */
  readonly signal?: AbortSignal;
}

/**
 * Applies the log of facets until it is empty, after commands that write many records: then all are
 * counted. While a running data-api applies a batch, it waits.
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
