import type { Logger } from '@vcds/service-kit';
import { FacetMaintainer } from './facet-indexer.ts';

export interface SettleOptions {
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
export async function settleFacets({ signal, ...options }: SettleOptions): Promise<void> {
  const maintainer = new FacetMaintainer(options);
  try {
    while (!signal?.aborted) {
      const { status } = await maintainer.applyOnce();
      if (status === 'idle') return;
      if (status === 'busy') await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await maintainer.close();
  }
}
