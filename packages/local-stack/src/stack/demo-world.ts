import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import type { Guardian } from '../processes/guardian.ts';
import { describeEnd, lastLines, startProcess } from '../processes/managed-process.ts';
import { type Progress, reported } from './progress.ts';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

const detailLengthMax = 60;
const wordsCount = 24;
const stopTimeoutMs = 10_000;

export interface DemoContext {
  /** Absolute path of the command that writes the world. */
  readonly command: string;
  readonly settings: StackSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  readonly guardian: Guardian;
  readonly signal: AbortSignal;
}

/** How far the filling has got; kept in the local folder from the moment it begins. */
interface Marker {
  readonly state: 'loading' | 'loaded';
  /** The day the invented history leads up to, so that what is resumed is the same world. */
  readonly today: string;
}

/**
 * Fills an empty embedded database with the demonstration world. A filling that was interrupted
 * is taken up again at the next start, unless that asks for no world: the importer is idempotent.
 * @throws StackError with the command's last words when it fails.
 */
export async function fillDemoWorld(context: DemoContext): Promise<void> {
  const { settings, progress } = context;
  if (settings.databaseUrl !== undefined) return;
  const file = join(settings.folders.local, 'demo.json');
  const before = await readMarker(file);
  if (before?.state === 'loaded') return;
  if (!settings.fillDemo) {
    await rm(file, { force: true });
    return;
  }
  const today = before?.today ?? new Date().toISOString().slice(0, 10);
  const args = ['--today', today, ...(before === undefined ? ['--only-if-empty'] : [])];
  await writeMarker(file, { state: 'loading', today });
  await reported(progress, 'Filling the database with an invented world', (step) =>
    runDemo(args, context, (detail) => step.update(detail)),
  );
  await writeMarker(file, { state: 'loaded', today });
}

async function readMarker(file: string): Promise<Marker | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Moved into place, so that a crash leaves the marker whole. */
async function writeMarker(file: string, marker: Marker): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(marker)}\n`);
  await rename(`${file}.new`, file);
}

async function runDemo(
  args: readonly string[],
  { command, settings, environment, guardian, signal }: DemoContext,
  onDetail: (detail: string) => void,
): Promise<void> {
  const logFile = join(settings.folders.logs, 'demo.log');
  const child = await startProcess({
    name: 'the invented world',
    command: process.execPath,
    args: [command, ...args],
    env: environment,
    logFile,
    onErrorLine: (line) => {
      onDetail(line.trim().slice(0, detailLengthMax));
      return false;
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs,
    guardian,
  });
  const onAbort = () => child.stop();
  signal.addEventListener('abort', onAbort, { once: true });
  // Somebody may have asked before there was a process to stop.
  if (signal.aborted) onAbort();
  const end = await child.ended;
  signal.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
  if (end.code === 0) return;
  const words = (await lastLines(logFile, wordsCount)).map((line) => `\n  ${line}`).join('');
  throw new StackError(`Filling the database ${describeEnd(end)}. The end of ${logFile}:${words}`);
}
