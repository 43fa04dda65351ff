import { type CorpusSize, type LoadOptions, writeRecords } from '@vcds/bench/corpus';
import { createLogger } from '@vcds/service-kit';
import { catchUpFacets } from '../../src/worker/index-facets/catch-up.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Fills an empty database with a corpus of benches, its feed and its facet index. */
export function loadCorpus(
  url: string,
  size: CorpusSize,
  options: Partial<LoadOptions> = {},
): Promise<void> {
  const indexFacets = () => catchUpFacets({ connectionString: url, logger });
  return writeRecords(url, size, { indexFacets, ...options });
}
