import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ImportError } from './errors/import-error.ts';
import { recordId } from './records/record-id.ts';
import type { ImportReport } from './report/import-report.ts';
import { printReport } from './report/print-report.ts';
import { type Progress, progressLine } from './report/progress.ts';
import { STDIN_NAME } from './run/open-source.ts';
import { importRates, runImport } from './run/run-import.ts';
import { layouts } from './staging/layout.ts';

/** What the command talks to. */
export interface Console {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
  /** What the file named `-` stands for. */
  readonly input?: AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

const USAGE = `npm run ingest -- [FILE…] [--map MAPPING] [--continue] [--rates FILE]
                  [--rejected DIR] [--allow-empty] [--json]
       npm run ingest -- --id TYPE SOURCE KEY

Imports NDJSON, or what a mapping reads (docs/import.md), also in gzip or zstd. Applies nothing if
a line is rejected.
  FILE             a file; - is standard input
  --map MAPPING    a mapping file for CSV, TSV or JSONL
  --continue       applies the rest although lines are rejected
  --rates FILE     takes over rates to the dollar first (CSV: currency,date,rate,origin)
  --rejected DIR   where FILE.rejected.ndjson and FILE.repaired.ndjson go; default: beside FILE
  --allow-empty    takes files that hold nothing to import
  --json           prints the report as JSON instead of the table
  --id             prints the Id of the record that a source knows by a key
  DATABASE_URL     PostgreSQL of data-api; default: that of a running npm start
  IMPORT_DATABASE_URL  the same as a role that may import; default: DATABASE_URL
`;

class UsageError extends Error {}

/**
 * `npm run ingest`: see the usage above.
 *
 * @returns the exit code: 0 applied, 1 refused, failed or stopped, 2 called in a wrong way.
 */
export async function ingest(args: readonly string[], console: Console): Promise<number> {
  try {
    const { values, positionals } = parsed(args);
    if (values.help) {
      await print(console.out, USAGE);
      return 0;
    }
    if (values.id === true) {
      await print(console.out, `${idOf(positionals)}\n`);
      return 0;
    }
    if (positionals.length === 0 && values.rates === undefined) {
      throw new UsageError('Name a file to import.');
    }
    refuseUnmapped(positionals, values.map);
    const path = (given: string) => (given === STDIN_NAME ? given : resolve(console.folder, given));
    const connectionString = databaseUrl(console.environment);
    if (positionals.length === 0 && values.rates !== undefined) {
      const rates = await importRates(connectionString, path(values.rates));
      await print(console.out, `${rates} rates taken over.\n`);
      return 0;
    }
    const show = progressLine(console.err);
    const report = await runImport({
      connectionString,
      files: positionals.map(path),
      continueOnRejected: values.continue ?? false,
      allowEmpty: values['allow-empty'] ?? false,
      onProgress: (progress) => {
        show.progress(progress);
        console.onProgress?.(progress);
      },
      signal: console.signal,
      ...(console.input === undefined ? {} : { input: console.input }),
      ...(values.map === undefined ? {} : { mapping: path(values.map) }),
      ...(values.rates === undefined ? {} : { ratesFile: path(values.rates) }),
      ...(values.rejected === undefined ? {} : { rejectedFolder: path(values.rejected) }),
    }).finally(show.end);
    const text = `${values.json ? jsonOf(report) : printReport(report)}\n`;
    await print(console.out, text).catch((error: Error) => {
      const what = `The import was ${report.state}, but its report cannot be written`;
      throw new ImportError('file', `${what}: ${error.message}.`);
    });
    return report.state === 'applied' ? 0 : 1;
  } catch (error) {
    return explain(error, console.err);
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        map: { type: 'string' },
        continue: { type: 'boolean' },
        rates: { type: 'string' },
        rejected: { type: 'string' },
        'allow-empty': { type: 'boolean' },
        json: { type: 'boolean' },
        id: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function idOf(positionals: readonly string[]): string {
  const [type = '', source, key, ...rest] = positionals;
  if (source === undefined || key === undefined || rest.length > 0) {
    throw new UsageError('--id takes the type of a record, its source and its key.');
  }
  const known = [...layouts.values()].filter(({ keyed }) => keyed);
  const found = known.find((each) => each.type === type);
  if (found !== undefined) return recordId(found.type, source, key);
  const types = known.map((each) => each.type).join(', ');
  throw new UsageError(`Records of type '${type}' have no key; those of ${types} have one.`);
}

function refuseUnmapped(files: readonly string[], mapping: string | undefined): void {
  const table = files.find((file) => /\.[ct]sv(\.(gz|zst))?$/iu.test(file));
  if (table === undefined || mapping !== undefined) return;
  throw new UsageError(`${table} needs --map: without a mapping only NDJSON can be read.`);
}

function databaseUrl(environment: Console['environment']): string {
  const given = environment.IMPORT_DATABASE_URL || environment.DATABASE_URL;
  if (given !== undefined && given !== '') return given;
  throw new UsageError('DATABASE_URL is not set: it names the PostgreSQL of data-api.');
}

function jsonOf(report: ImportReport): string {
  return JSON.stringify({
    ...report,
    byType: Object.fromEntries(report.byType),
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  });
}

/** Resolves when the text is written. */
function print(out: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function explain(error: unknown, err: NodeJS.WritableStream): number {
  if (error instanceof UsageError) {
    err.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  if (!(error instanceof ImportError)) throw error;
  const cause =
    error.code === 'unforeseen' && error.cause instanceof Error ? error.cause.stack : '';
  err.write(`${error.message}\n${cause ? `${cause}\n` : ''}`);
  return 1;
}
