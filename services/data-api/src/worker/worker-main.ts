import { runService } from '@vcds/service-kit';
import { readDataWorkerConfig } from './config.ts';
import { startDataWorker } from './worker.ts';

await runService({ name: 'data-worker', readConfig: readDataWorkerConfig, start: startDataWorker });
