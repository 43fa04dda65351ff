import { runService } from '@vcds/service-kit';
import { startWorker } from './worker.ts';
import { readWorkerConfig } from './worker-config.ts';

await runService({ name: 'worker', readConfig: readWorkerConfig, start: startWorker });
