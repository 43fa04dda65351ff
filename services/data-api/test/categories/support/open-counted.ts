import { createLogger } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import type { LoadedFacetEngine } from '../../../src/categories/facet-schema.ts';
import { openFacets } from '../../../src/categories/open-facets.ts';
import type { Database } from '../../../src/postgres/database.ts';

interface CountedOptions {
  readonly database: Database;
  readonly loaded: LoadedFacetEngine | undefined;
  readonly registry: Registry;
}

/** The facets of data-api, and the number of counts of an engine by outcome. */
export function openCounted({ database, loaded, registry }: CountedOptions) {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const facets = openFacets({ database, loaded, registry, logger });
  const counts = async (engine: string, outcome: string) => {
    const metric = await registry.getSingleMetric('vcds_facet_count_duration_seconds')?.get();
    const found = metric?.values.find(
      (each) =>
        'metricName' in each &&
        each.metricName === 'vcds_facet_count_duration_seconds_count' &&
        each.labels.engine === engine &&
        each.labels.outcome === outcome,
    );
    return found?.value ?? 0;
  };
  return { facets, counts };
}
