import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { redact } from './redact.ts';

export type { Logger } from 'pino';
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Where log lines go: standard output by default; tests collect them. */
export interface LogSink {
  write(line: string): void;
}

export interface LoggerSettings {
  readonly service: string;
  readonly level?: LogLevel;
  readonly sink?: LogSink;
}

/**
 * A structured logger: one JSON object a line. Every line passes `redact` on its way out, so a
 * key, token or code cannot be written down even where a library put it in an error message.
 */
export function createLogger({ service, level = 'info', sink }: LoggerSettings): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: stdSerializers.errWithCause },
    errorKey: 'error',
  };
  const target = () => sink ?? standardOutput();
  return pino(options, { write: (line: string) => target().write(redact(line)) });
}

let sharedOutput: LogSink | undefined;

/**
 * Opened by the first line, so that a logger that says nothing leaves no listeners behind. Lines of
 * one turn of the event loop go out in one write, what is left when the process exits.
 * (pino's own buffered destination spins for ever at exit once the reader of a pipe has gone.)
 */
function standardOutput(): LogSink {
  sharedOutput ??= openStandardOutput();
  return sharedOutput;
}

function openStandardOutput(): LogSink {
  let pending = '';
  const flush = (): void => {
    const lines = pending;
    pending = '';
    if (lines !== '') process.stdout.write(lines);
  };
  // Nobody reads any more (EPIPE): the service goes on without a log.
  process.stdout.on('error', () => undefined);
  process.on('exit', flush);
  return {
    write: (line) => {
      if (pending === '') setImmediate(flush);
      pending += line;
    },
  };
}
