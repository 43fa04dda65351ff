import { runService } from '@vcds/service-kit';
import { readAccessConfig } from './config.ts';
import { startAccessApi } from './start.ts';

await runService({ name: 'access-api', readConfig: readAccessConfig, start: startAccessApi });
