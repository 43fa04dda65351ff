import { ConfigError, createLogger, ListenError, stopOnSignals } from '@vcds/service-kit';
import { readAccessConfig } from './config.ts';
import { startAccessApi } from './service.ts';

try {
  const config = readAccessConfig(process.env);
  const logger = createLogger({ service: 'access-api', level: config.LOG_LEVEL });
  const starting = startAccessApi(config, { logger });
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
  for (const line of lines) process.stderr.write(`access-api: ${line}\n`);
  process.exitCode = 1;
}
