import { ConfigError, createLogger, ListenError, stopOnSignals } from '@vcds/service-kit';
import { readMailWorkerConfig } from './config.ts';
import { startMailWorker } from './worker.ts';

try {
  const config = readMailWorkerConfig(process.env);
  const logger = createLogger({ service: 'mail-worker', level: config.LOG_LEVEL });
  const starting = startMailWorker(config, { logger });
  stopOnSignals(starting, logger);
  await starting;
} catch (error) {
  const lines =
    error instanceof ConfigError
      ? error.faults
      : error instanceof ListenError
        ? [error.message]
        : undefined;
  if (lines === undefined) throw error;
  for (const line of lines) process.stderr.write(`mail-worker: ${line}\n`);
  process.exitCode = 1;
}
