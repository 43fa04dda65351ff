import { runService } from '@vcds/service-kit';
import { readFacetsConfig } from './config.ts';
import { startFacets } from './facets.ts';

await runService({ name: 'facets', readConfig: readFacetsConfig, start: startFacets });
