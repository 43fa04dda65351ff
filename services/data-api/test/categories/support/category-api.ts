import { createLogger } from '@vcds/service-kit';
import { FacetMaintainer } from '../../../src/background/index-facets/facet-indexer.ts';
import { openApi, type TestApi } from '../../support/api.ts';

/** The data API with facets that follow when told to. */
export interface CategoryApi extends TestApi {
  readonly url: string;
  /** Applies everything logged so far; how many rows of the log that were. */
  settle(): Promise<number>;
}

/** {@link openApi}, its facets brought up to date. */
export async function openCategoryApi(
  options: Parameters<typeof openApi>[0] = {},
): Promise<CategoryApi> {
  const api = await openApi(options);
  const url = api.sql.options.connectionString;
  if (url === undefined) throw new Error('the pool knows its database');
  const maintainer = maintainerOf(url);
  const settle = () => settleWith(maintainer);
  await settle();
  return {
    ...api,
    url,
    settle,
    close: async () => {
      await maintainer.close();
      await api.close();
    },
  };
}

/** A maintainer that does nothing by itself until started. */
export function maintainerOf(url: string, batchRowsMax = 200_000): FacetMaintainer {
  return new FacetMaintainer({
    connectionString: url,
    logger: createLogger({ service: 'test', level: 'silent' }),
    times: { pollMs: 50, batchRowsMax },
  });
}

/** Applies batches until the log is empty; the rows taken. */
export async function settleWith(maintainer: FacetMaintainer): Promise<number> {
  for (let taken = 0; ; ) {
    const outcome = await maintainer.applyOnce();
    if (outcome.status === 'idle') return taken;
    if (outcome.status === 'applied') taken += outcome.taken;
  }
}
