import { runService } from '@vcds/service-kit';
import { startMailWorker } from './worker.ts';
import { readMailWorkerConfig } from './worker-config.ts';

await runService({ name: 'mail-worker', readConfig: readMailWorkerConfig, start: startMailWorker });
