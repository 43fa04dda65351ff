import { runService } from '@vcds/service-kit';
import { readDataApiConfig } from './config.ts';
import { startDataApi } from './service.ts';

await runService({ name: 'data-api', readConfig: readDataApiConfig, start: startDataApi });
