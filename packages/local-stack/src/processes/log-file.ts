import { closeSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A log file of a process is renamed to `….1` at this size. */
export const LOG_BYTES_MAX = 32 * 1_048_576;
const LINES_KEPT = 12;
const LINE_LENGTH_MAX = 2_000;

/** An access line of a service; it does not show why the service ended. */
const ACCESS_LINE = '"msg":"request"';
const ALERT_LINE = /^\{"level":"(?:warn|error|fatal)"/;

/** The log of a process, of limited size. */
export interface LogFile {
  /** Appends a line, without its line end. With a full disk the line is lost. */
  write(line: string): void;
  /** The last lines except calls, and the last warnings and errors before them, in their order. */
  lastLines(): string[];
  close(): void;
}

/** Opens a log file; the file of the previous run, or of the time before the limit, is `….1`. */
export function openLogFile(path: string, bytesMax: number = LOG_BYTES_MAX): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  let file = replace(path);
  let bytes = 0;
  let isClosed = false;
  const lines = keptLines();
  const append = (line: string): void => {
    const text = `${line}\n`;
    if (bytes > 0 && bytes + text.length > bytesMax) {
      closeSync(file);
      file = replace(path);
      bytes = 0;
    }
    bytes += writeSync(file, text);
  };
  return {
    write: (line) => {
      lines.add(line);
      // The system may have given the number of the closed file to another one.
      if (isClosed) return;
      try {
        append(line);
      } catch {
        // The disk is full; the process continues.
      }
    },
    lastLines: lines.last,
    close: () => {
      if (!isClosed) closeSync(file);
      isClosed = true;
    },
  };
}

function replace(path: string): number {
  try {
    renameSync(path, `${path}.1`);
  } catch {
    // There is no earlier log.
  }
  return openSync(path, 'a', 0o600);
}

function keptLines() {
  const recent = new Map<number, string>();
  const alerts = new Map<number, string>();
  let count = 0;
  const keep = (lines: Map<number, string>, line: string): void => {
    lines.set(count, line.slice(0, LINE_LENGTH_MAX));
    if (lines.size <= LINES_KEPT) return;
    const [oldest = 0] = lines.keys();
    lines.delete(oldest);
  };
  return {
    add: (line: string): void => {
      count += 1;
      if (line === '' || line.includes(ACCESS_LINE)) return;
      keep(recent, line);
      if (ALERT_LINE.test(line)) keep(alerts, line);
    },
    last: (): string[] => {
      const all = new Map([...alerts, ...recent]);
      return [...all.keys()].sort((a, b) => a - b).map((index) => all.get(index) ?? '');
    },
  };
}
