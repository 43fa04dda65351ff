import { runService } from '@vcds/service-kit';
import { readWorkerConfig } from './config.ts';
import { startWorker } from './worker.ts';

await runService({ name: 'worker', readConfig: readWorkerConfig, start: startWorker });
