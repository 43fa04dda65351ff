/** The command that writes the demonstration world. */
import { tmpdir } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { isNativeError } from 'node:util/types';
import type { Progress } from '@vcds/importer';
import { printReport } from '@vcds/importer';
import { createLogger } from '@vcds/service-kit';
import { settleFacets } from '../background/index-facets/catch-up.ts';
import { dateText, dayMs } from './calendar.ts';
import { contentsOf, fillWorld } from './fill-world.ts';
import { planWorld } from './plan.ts';
import { generateWorld, type WorldOptions } from './world.ts';

export const usage = `demonstration world [--startups N] [--seed S] [--today DAY] [--only-if-empty] [--print]

Fills a database with an invented market: startups, funds, people, rounds and a history of changes.
  DATABASE_URL      PostgreSQL with the migrated schema "venture"
  IMPORT_DATABASE_URL  the same as a role that may import; default: DATABASE_URL
  --startups N      how many startups, 1 to 4,000,000; the rest is in proportion (20,000)
  --seed S          another number gives another world (1)
  --today DAY       the day the history leads up to, YYYY-MM-DD (today)
  --only-if-empty   do nothing, successfully, where there are records already
  --print           write the lines to standard output instead, as NDJSON
`;

/** Where a command speaks. */
export interface Console {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
}

class UsageError extends Error {
  readonly code = 'ERR_USAGE';
}

/**
 * Runs the command; progress goes to `err`, the importer's closing table to `out`.
 * @returns the exit code: 0 when the world is there or nothing was to be done, 1 when it could not
 *   be written, 2 when the command was not understood.
 */
export async function runDemonstration(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  { out, err }: Console,
  signal: AbortSignal,
): Promise<number> {
  try {
    const { values } = readArguments(args);
    if (values.help === true) {
      out.write(usage);
      return 0;
    }
    const world = worldOf(values);
    if (values.print === true) {
      await pipeline(ndjson(world), out, { end: false, signal });
      return 0;
    }
    const connectionString = environment.DATABASE_URL;
    if (connectionString === undefined || connectionString === '') {
      throw new UsageError('DATABASE_URL is not set: it names the PostgreSQL to fill.');
    }
    const onlyIfEmpty = values['only-if-empty'] === true;
    const urls = { service: connectionString, importer: importUrl(environment, connectionString) };
    return await fill(urls, world, onlyIfEmpty, { out, err }, signal);
  } catch (error) {
    return failed(error, err, signal);
  }
}

function readArguments(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      startups: { type: 'string' },
      seed: { type: 'string' },
      today: { type: 'string' },
      'only-if-empty': { type: 'boolean' },
      print: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

interface Given {
  readonly startups?: string | undefined;
  readonly seed?: string | undefined;
  readonly today?: string | undefined;
}

function worldOf({ startups, seed, today }: Given): WorldOptions {
  const world = {
    today: today ?? dateText(Math.floor(Date.now() / dayMs)),
    ...(startups !== undefined && { startups: wholeNumber('startups', startups) }),
    ...(seed !== undefined && { seed: wholeNumber('seed', seed) }),
  };
  try {
    planWorld(world);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
  return world;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`--${name} takes a whole number, not ${text}`);
  return Number(text);
}

function* ndjson(world: WorldOptions): Iterable<string> {
  let block = '';
  for (const line of generateWorld(world)) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length < 65_536) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** Connection strings of the one database: as the service, and as the importer. */
interface Urls {
  readonly service: string;
  readonly importer: string;
}

function importUrl({ IMPORT_DATABASE_URL: given }: NodeJS.ProcessEnv, fallback: string): string {
  return given === undefined || given === '' ? fallback : given;
}

async function fill(
  urls: Urls,
  world: WorldOptions,
  onlyIfEmpty: boolean,
  { out, err }: Console,
  signal: AbortSignal,
): Promise<number> {
  const contents = await contentsOf(urls.importer);
  if (onlyIfEmpty && contents !== 'empty') {
    err.write('The database holds records already: nothing to do.\n');
    return 0;
  }
  if (contents === 'foreign') {
    err.write('The database holds records of other sources: invented ones do not belong there.\n');
    return 1;
  }
  const onProgress = reporter(err);
  const rejectedFolder = tmpdir();
  const connectionString = urls.importer;
  const report = await fillWorld({ connectionString, world, rejectedFolder, onProgress, signal });
  out.write(`${printReport(report)}\n`);
  if (report.state === 'applied') {
    err.write('facets: counting what was written\n');
    const logger = createLogger({ service: 'demonstration', level: 'error' });
    await settleFacets({ connectionString: urls.service, logger, signal });
    return 0;
  }
  err.write('The importer refused the world; see the table above.\n');
  return 1;
}

const number = new Intl.NumberFormat('en-US');
const progressEveryMs = 500;

/** Writes a line at every step and, within a step, twice a second at most. */
function reporter(err: NodeJS.WritableStream): (progress: Progress) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  let shownStep = '';
  return ({ step, lines, linesMax }) => {
    const now = performance.now();
    if (step === shownStep && now - shownAt < progressEveryMs) return;
    [shownAt, shownStep] = [now, step];
    const of = linesMax === undefined ? '' : ` of ${number.format(linesMax)}`;
    err.write(`${step}: ${number.format(lines)}${of} lines\n`);
  };
}

function failed(error: unknown, err: NodeJS.WritableStream, signal: AbortSignal): number {
  if (signal.aborted) {
    err.write('Stopped. The same command completes the world.\n');
    return 1;
  }
  // What parseArgs, the driver and the network throw carries a code; other errors are ours.
  if (!isNativeError(error) || !('code' in error)) throw error;
  if (/^ERR_(USAGE|PARSE_ARGS)/.test(String(error.code))) {
    err.write(`${error.message}\n\n${usage}`);
    return 2;
  }
  err.write(`The world could not be written: ${error.message}\n`);
  return 1;
}
