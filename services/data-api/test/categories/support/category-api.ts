import { createLogger } from '@vcds/service-kit';
import { FacetIndexer } from '../../../src/background/index-facets/facet-indexer.ts';
import { openApi, type TestApi } from '../../support/api.ts';

/** The data API with facets that follow when told to. */
export interface CategoryApi extends TestApi {
  readonly url: string;
  /** Applies everything logged so far; how many rows of the log that were. */
  catchUp(): Promise<number>;
}

/** {@link openApi}, its facets brought up to date. */
export async function openCategoryApi(
  options: Parameters<typeof openApi>[0] = {},
): Promise<CategoryApi> {
  const api = await openApi(options);
  const url = api.sql.options.connectionString;
  if (url === undefined) throw new Error('the pool knows its database');
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

/** An indexer that does nothing by itself until started. */
export function indexerOf(url: string, batchRowsMax = 200_000): FacetIndexer {
  return new FacetIndexer({
    connectionString: url,
    logger: createLogger({ service: 'test', level: 'silent' }),
    times: { pollMs: 50, batchRowsMax },
  });
}

/** Applies batches until the log is empty; the rows taken. */
export async function applyAll(indexer: FacetIndexer): Promise<number> {
  for (let taken = 0; ; ) {
    const outcome = await indexer.applyOnce();
    if (outcome.status === 'idle') return taken;
    if (outcome.status === 'applied') taken += outcome.taken;
  }
}
