/** The command that imports or prints demonstration data. */
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { isNativeError } from 'node:util/types';
import { type Progress, printReport } from '@vcds/importer';
import { generateDataset } from './dataset.ts';
import { DAY_MS, dateOf } from './days.ts';
import { contentsOf, type FillOptions, fillDatabase } from './fill-database.ts';
import { type DatasetOptions, datasetSpec } from './spec.ts';

export const USAGE = `npm run demo -- [--startups N] [--seed S] [--today DAY] [--only-if-empty] [--print]

Fills a database with an invented market: startups, funds, people, rounds and a history of changes.
  DATABASE_URL      PostgreSQL with the migrated schema "venture"
  IMPORT_DATABASE_URL  the same as a role that may import; default: DATABASE_URL
  --startups N      number of startups, 1 to 4,000,000; other records in proportion (10,000)
  --seed S          an integer that selects the data set (1)
  --today DAY       the day after the end of the history, YYYY-MM-DD (today)
  --only-if-empty   change nothing and exit with 0 if the database has records
  --print           write the lines to standard output instead, as NDJSON
`;

/** The streams of a command. */
export interface Console {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
}

/**
 * Runs the command: progress goes to `err`, the importer's final table to `out`.
 * @returns the exit status: 0 the data is complete or nothing was to be done, 1 the import failed,
 *   2 invalid options.
 */
export async function runDemoCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  console: Console,
  signal: AbortSignal,
): Promise<number> {
  const { out, err } = console;
  try {
    const { help, print, dataset, 'only-if-empty': onlyIfEmpty } = readOptions(args);
    if (help) {
      out.write(USAGE);
      return 0;
    }
    datasetSpec(dataset);
    if (print) {
      await pipeline(ndjson(dataset), out, { end: false, signal });
      return 0;
    }
    const connectionString = environment.IMPORT_DATABASE_URL || environment.DATABASE_URL;
    if (!connectionString)
      throw new RangeError('DATABASE_URL is not set. Set it to the database to fill.');
    return await fill({ connectionString, dataset, signal }, onlyIfEmpty, console);
  } catch (error) {
    if (signal.aborted) {
      err.write('Stopped. Run the command again to complete the data.\n');
      return 1;
    }
    // Invalid options are RangeErrors; errors of parseArgs, the driver and the network have a code.
    const code = isNativeError(error) && 'code' in error ? String(error.code) : null;
    if (!isNativeError(error) || (code === null && !(error instanceof RangeError))) throw error;
    const isUsage = code === null || code.startsWith('ERR_PARSE_ARGS');
    err.write(isUsage ? `${error.message}\n\n${USAGE}` : `The import failed: ${error.message}\n`);
    return isUsage ? 2 : 1;
  }
}

function readOptions(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = <const T extends string>(value: T) => ({ type: 'string', default: value }) as const;
  const today = dateOf(Math.floor(Date.now() / DAY_MS));
  const data = { startups: text('10000'), seed: text('1'), today: text(today) };
  const flags = { 'only-if-empty': flag, print: flag, help: { ...flag, short: 'h' } };
  const { values } = parseArgs({ args: [...args], options: { ...data, ...flags } });
  const dataset = { ...values, startups: Number(values.startups), seed: Number(values.seed) };
  return { ...values, dataset };
}

function* ndjson(options: DatasetOptions): Iterable<string> {
  let block = '';
  for (const line of generateDataset(options)) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length < 65_536) continue;
    yield block;
    block = '';
  }
  yield block;
}

async function fill(options: FillOptions, onlyIfEmpty: boolean, { out, err }: Console) {
  const contents = await contentsOf(options.connectionString);
  if (onlyIfEmpty && contents !== 'empty') {
    err.write('The database has records: nothing was imported.\n');
    return 0;
  }
  if (contents === 'other') {
    err.write('The database has records of other sources: no demonstration data was imported.\n');
    return 1;
  }
  const report = await fillDatabase({ ...options, onProgress: reporter(err) });
  out.write(`${printReport(report)}\n`);
  if (report.state === 'applied') return 0;
  err.write('The importer rejected the data; see the table above.\n');
  return 1;
}

/** Reports each step and, in a step, at most twice a second. */
function reporter(err: NodeJS.WritableStream): (progress: Progress) => void {
  let shown = { step: '', at: 0 };
  return ({ step, lines, linesMax }) => {
    const at = performance.now();
    if (step === shown.step && at - shown.at < 500) return;
    shown = { step, at };
    const of = linesMax === undefined ? '' : ` of ${linesMax.toLocaleString('en-US')}`;
    err.write(`${step}: ${lines.toLocaleString('en-US')}${of} lines\n`);
  };
}
