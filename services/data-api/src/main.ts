import { ConfigError, createLogger, ListenError, stopOnSignals } from '@vcds/service-kit';
import { readDataApiConfig } from './config.ts';
import { startDataApi } from './service.ts';

try {
  const config = readDataApiConfig(process.env);
  const logger = createLogger({ service: 'data-api', level: config.LOG_LEVEL });
  const starting = startDataApi(config, { logger });
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
  for (const line of lines) process.stderr.write(`data-api: ${line}\n`);
  process.exitCode = 1;
}
