import { destination, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
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
  const target = sink ?? standardOutput();
  return pino(options, { write: (line: string) => target.write(redact(line)) });
}

// Writes are asynchronous and coalesced while one is under way; what is left goes out at exit.
function standardOutput(): LogSink {
  const out = destination({ dest: 1, sync: false });
  process.on('exit', () => {
    try {
      out.flushSync();
    } catch {
      // Nobody reads standard output any more (EPIPE) or it never opened: nothing to save.
    }
  });
  return out;
}
