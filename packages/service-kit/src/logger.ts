import { type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { redact } from './redact.ts';

export type { Logger } from 'pino';
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The destination of log lines: standard output by default; tests collect them. */
export interface LogSink {
  write(line: string): void;
}

export interface LoggerSettings {
  readonly service: string;
  readonly level?: LogLevel;
  readonly sink?: LogSink;
}

/**
 * A structured logger: one JSON object per line. `redact` is applied to every line, so that no key,
 * token or code is logged even if a library has put it into an error message.
 */
export function createLogger({ service, level = 'info', sink }: LoggerSettings): Logger {
  const options: LoggerOptions = {
    level,
    base: { service },
    timestamp: createTimestamp(),
    formatters: { level: (label) => ({ level: label }) },
    serializers: { error: stdSerializers.errWithCause },
    errorKey: 'error',
  };
  const target = () => sink ?? standardOutput();
  return pino(options, { write: (line: string) => target().write(redact(line)) });
}

// Lines of the same millisecond share the text.
function createTimestamp(): () => string {
  let lastMs = Number.NaN;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      text = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return text;
  };
}

let sharedOutput: LogSink | undefined;

/**
 * Opened by the first line, so that an unused logger adds no listeners. Lines of one iteration of
 * the event loop are written together; the remaining ones when the process exits. (pino's own
 * buffered destination loops endlessly at exit if the reader of a pipe has closed it.)
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
  // The reader has closed the pipe (EPIPE): the service continues without a log.
  process.stdout.on('error', () => undefined);
  process.on('exit', flush);
  return {
    write: (line) => {
      if (pending === '') setImmediate(flush);
      pending += line;
    },
  };
}
