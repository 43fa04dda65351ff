import { runService } from '@vcds/service-kit';
import { readMailWorkerConfig } from './config.ts';
import { startMailWorker } from './worker.ts';

await runService({ name: 'mail-worker', readConfig: readMailWorkerConfig, start: startMailWorker });
