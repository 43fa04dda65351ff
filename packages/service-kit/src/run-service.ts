import { ConfigError } from './config.ts';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { ListenError, type Service, stopOnSignals } from './service.ts';

/** A process that runs one service. */
export interface ServiceProcess<C> {
  readonly name: string;
  /** @throws ConfigError */
  readonly readConfig: (environment: NodeJS.ProcessEnv) => C;
  readonly start: (config: C, context: { readonly logger: Logger }) => Promise<Service>;
}

interface ProcessConfig {
  readonly LOG_LEVEL: LogLevel;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

/**
 * Runs a service until a signal stops it. Errors of the environment or of a port are printed, one
 * line each, and the process exits with 1.
 */
export async function runService<C extends ProcessConfig>({
  name,
  readConfig,
  start,
}: ServiceProcess<C>): Promise<void> {
  try {
    const config = readConfig(process.env);
    const logger = createLogger({ service: name, level: config.LOG_LEVEL });
    const tracing = await openTracing(name, config, logger);
    const starting = start(config, { logger }).then((service) => ({
      ...service,
      stop: () => service.stop().finally(tracing?.stop),
    }));
    stopOnSignals(starting, logger);
    await starting;
  } catch (error) {
    for (const line of linesOf(error)) process.stderr.write(`${name}: ${line}\n`);
    process.exitCode = 1;
  }
}

async function openTracing(name: string, config: ProcessConfig, logger: Logger) {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  const { startTracing } = await import('./tracing/start-tracing.ts');
  return startTracing(name, logger);
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.errors;
  if (error instanceof ListenError) return [error.message];
  throw error;
}
