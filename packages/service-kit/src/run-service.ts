import { ConfigError } from './config.ts';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { ListenError, type Service, stopOnSignals } from './service.ts';

/** What a process that is one service runs. */
export interface ServiceProcess<C> {
  readonly name: string;
  /** @throws ConfigError */
  readonly readConfig: (environment: NodeJS.ProcessEnv) => C;
  readonly start: (config: C, context: { readonly logger: Logger }) => Promise<Service>;
}

/**
 * Runs a service until a signal stops it. What is wrong with the environment or a port is printed,
 * one line each, and the process ends with 1.
 */
export async function runService<C extends { readonly LOG_LEVEL: LogLevel }>({
  name,
  readConfig,
  start,
}: ServiceProcess<C>): Promise<void> {
  try {
    const config = readConfig(process.env);
    const logger = createLogger({ service: name, level: config.LOG_LEVEL });
    const starting = start(config, { logger });
    stopOnSignals(starting, logger);
    await starting;
  } catch (error) {
    for (const line of linesOf(error)) process.stderr.write(`${name}: ${line}\n`);
    process.exitCode = 1;
  }
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.faults;
  if (error instanceof ListenError) return [error.message];
  throw error;
}
