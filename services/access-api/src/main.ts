import { runService } from '@vcds/service-kit';
import { startAccessApi } from './app.ts';
import { readAccessConfig } from './config.ts';

await runService({ name: 'access-api', readConfig: readAccessConfig, start: startAccessApi });
