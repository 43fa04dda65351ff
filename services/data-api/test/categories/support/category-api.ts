import { createLogger } from '@vcds/service-kit';
import {
  FacetIndexer,
  type IndexerOptions,
} from '../../../src/worker/index-facets/facet-indexer.ts';
import { openApi, type TestApi } from '../../support/api.ts';

/** The data API with a facet index that is updated on call. */
export interface CategoryApi extends TestApi {
  readonly url: string;
  /** Applies the whole log; returns the number of its rows. */
  catchUp(): Promise<number>;
}

/** {@link openApi} with an up-to-date facet index. */
export async function openCategoryApi(
  options: Parameters<typeof openApi>[0] = {},
): Promise<CategoryApi> {
  const api = await openApi(options);
  const url = api.sql.options.connectionString;
  if (url === undefined) throw new Error('The pool has no connection string.');
  const indexer = indexerOf(url);
  const catchUp = () => applyAll(indexer);
  await catchUp();
  return {
    ...api,
    url,
    catchUp,
    close: async () => {
      await indexer.close();
      await api.close();
    },
  };
}

/** An indexer that is not started. */
export function indexerOf(
  url: string,
  batchRowsMax = 200_000,
  options: Partial<IndexerOptions> = {},
): FacetIndexer {
  return new FacetIndexer({
    connectionString: url,
    logger: createLogger({ service: 'test', level: 'silent' }),
    ...options,
    times: { pollMs: 50, batchRowsMax, ...options.times },
  });
}

/** Applies batches until the log is empty; returns the number of its rows. */
export async function applyAll(indexer: FacetIndexer): Promise<number> {
  for (let taken = 0; ; ) {
    const outcome = await indexer.applyOnce();
    if (outcome.status === 'idle') return taken;
    if (outcome.status === 'applied') taken += outcome.taken;
  }
}
