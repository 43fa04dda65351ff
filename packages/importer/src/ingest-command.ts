import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ImportError } from './errors/import-error.ts';
import { visibleLines } from './errors/quote.ts';
import { recordId } from './records/record-id.ts';
import type { ImportReport } from './report/import-report.ts';
import { printReport, relabelledText } from './report/print-report.ts';
import { type Progress, progressLine } from './report/progress.ts';
import { STDIN_NAME } from './run/open-sources.ts';
import { importRates, runChoice, runImport } from './run/run-import.ts';
import { layouts } from './staging/layout.ts';
import { CHOOSABLE_KINDS } from './terms/choose-spelling.ts';

/** The environment of the command. */
export interface Console {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly folder: string;
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
  /** Standard input, for the file named `-`. */
  readonly input?: AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

const USAGE = `npm run ingest -- [FILE…] [--map MAPPING] [--continue] [--rates FILE]
                  [--rejected DIR] [--allow-empty] [--json]
       npm run ingest -- --id TYPE SOURCE KEY
       npm run ingest -- --spelling KIND SPELLING [COUNTRY]

Imports NDJSON, or files of a mapping (docs/import.md), also compressed with gzip or zstd. Applies
nothing if a line is rejected.
  FILE             a file; - is standard input
  --map MAPPING    a mapping file for CSV, TSV or JSONL
  --continue       applies the valid lines although others are rejected
  --rates FILE     imports exchange rates to the dollar first (CSV: currency,date,rate,origin)
  --rejected DIR   folder for FILE.rejected.ndjson and FILE.repaired.ndjson; default: that of FILE
  --allow-empty    accepts files without lines
  --json           prints the report as JSON
  --id             prints the Id of the record with a source and key
  --spelling       makes a spelling of a tag, group, region or city the one that records have
  DATABASE_URL     PostgreSQL of data-api; default: that of a running npm start
  IMPORT_DATABASE_URL  the same with a role that may import; default: DATABASE_URL
`;

class UsageError extends Error {}

/**
 * Runs `npm run ingest` (see the usage above).
 *
 * @returns the exit code: 0 applied, 1 rejected, failed or stopped, 2 invalid arguments.
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
    if (values.spelling === true) return await respell(positionals, console);
    if (positionals.length === 0 && values.rates === undefined) {
      throw new UsageError('No file given.');
    }
    checkMapped(positionals, values.map);
    const path = (given: string) => (given === STDIN_NAME ? given : resolve(console.folder, given));
    const connectionString = databaseUrl(console.environment);
    if (positionals.length === 0 && values.rates !== undefined) {
      const rates = await importRates(connectionString, path(values.rates));
      await print(console.out, `${rates} exchange rates imported.\n`);
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
    await print(console.out, values.json ? text : visibleLines(text)).catch((error: Error) => {
      const what = `The import was ${report.state}, but writing its report failed`;
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
        spelling: { type: 'boolean' },
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
    throw new UsageError('--id requires a type, a source and a key.');
  }
  const known = [...layouts.values()].filter(({ keyed }) => keyed);
  const found = known.find((each) => each.type === type);
  if (found !== undefined) return recordId(found.type, source, key);
  const types = known.map((each) => each.type).join(', ');
  throw new UsageError(`Records of type '${type}' have no key. Use one of: ${types}.`);
}

async function respell(positionals: readonly string[], console: Console): Promise<number> {
  const [given = '', spelling, country, ...rest] = positionals;
  const kind = CHOOSABLE_KINDS.find((each) => each === given);
  if (kind === undefined || spelling === undefined || rest.length > 0) {
    const kinds = CHOOSABLE_KINDS.join(', ');
    throw new UsageError(`--spelling requires a kind (${kinds}) and a spelling.`);
  }
  const chosen = { kind, spelling, country };
  const changed = await runChoice(databaseUrl(console.environment), chosen, console.signal);
  const text = changed.map(relabelledText).join('\n') || `"${spelling}" already is the spelling.`;
  await print(console.out, `${visibleLines(text)}\n`);
  return 0;
}

function checkMapped(files: readonly string[], mapping: string | undefined): void {
  const table = files.find((file) => /\.[ct]sv(\.(gz|zst))?$/iu.test(file));
  if (table === undefined || mapping !== undefined) return;
  throw new UsageError(`${table} needs --map: only NDJSON is read without a mapping.`);
}

function databaseUrl(environment: Console['environment']): string {
  const given = environment.IMPORT_DATABASE_URL || environment.DATABASE_URL;
  if (given !== undefined && given !== '') return given;
  throw new UsageError('Set DATABASE_URL to the PostgreSQL of data-api.');
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
    err.write(`${visibleLines(error.message)}\n\n${USAGE}`);
    return 2;
  }
  if (!(error instanceof ImportError)) throw error;
  const cause =
    error.code === 'unforeseen' && error.cause instanceof Error ? error.cause.stack : '';
  err.write(`${visibleLines(error.message)}\n${cause ? `${cause}\n` : ''}`);
  return 1;
}
