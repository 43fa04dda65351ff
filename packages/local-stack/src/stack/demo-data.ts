import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { Guardian } from '../processes/guardian.ts';
import { startProcess } from '../processes/managed-process.ts';
import { unexpectedEnd } from '../processes/until-ready.ts';
import { ownEnvironment, type Program } from './own-secrets.ts';
import { type Progress, reported } from './progress.ts';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

const DETAIL_LENGTH_MAX = 60;
const STOP_TIMEOUT_MS = 10_000;

export interface DemoContext {
  /** Absolute path of the command that imports the data. */
  readonly command: string;
  /** Absolute path of the command that indexes the data then. */
  readonly indexCommand: string | undefined;
  /** Absolute path of the command that builds the sandbox. */
  readonly sandboxCommand: string | undefined;
  readonly settings: StackSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  readonly guardian: Guardian;
  readonly signal: AbortSignal;
}

/** The state of the import, in the local folder. */
interface Marker {
  readonly state: 'loading' | 'loaded';
  /** The last day of the data: a resumed import continues with the same data. */
  readonly today: string;
}

/**
 * Imports the demonstration data into an empty embedded database. The next start resumes an
 * interrupted import, unless it has `--empty`: the importer is idempotent.
 * @returns whether it imported data, so that the data worker trains its models on them now.
 * @throws StackError with the end of the command's log if it fails.
 */
export async function loadDemoData(context: DemoContext): Promise<boolean> {
  const { settings, progress, sandboxCommand } = context;
  if (settings.isSandbox && sandboxCommand !== undefined) {
    await reported(progress, 'Building the sandbox', (step) =>
      runCommand('sandbox', [sandboxCommand], context, (detail) => step.update(detail)),
    );
    return false;
  }
  if (settings.databaseUrl !== undefined) return false;
  const file = join(settings.folders.local, 'demo.json');
  const before = await readJsonFile<Marker>(file);
  if (before?.state === 'loaded') return false;
  if (!settings.fillDemo) {
    await rm(file, { force: true });
    return false;
  }
  const today = before?.today ?? new Date().toISOString().slice(0, 10);
  const args = ['--today', today, ...(before === undefined ? ['--only-if-empty'] : [])];
  await writeJsonFile(file, { state: 'loading', today });
  await reported(progress, 'Importing demonstration data', async (step) => {
    await runCommand('demo', [context.command, ...args], context, (detail) => step.update(detail));
    if (context.indexCommand === undefined) return;
    step.update('indexing');
    await runCommand('index', [context.indexCommand], context, (detail) => step.update(detail));
  });
  await writeJsonFile(file, { state: 'loaded', today });
  return true;
}

async function runCommand(
  program: Program,
  args: readonly string[],
  { settings, environment, guardian, signal }: DemoContext,
  onDetail: (detail: string) => void,
): Promise<void> {
  const logFile = join(settings.folders.logs, 'demo.log');
  const child = await startProcess({
    name: program === 'sandbox' ? 'The build of the sandbox' : 'The import of demonstration data',
    command: process.execPath,
    args: [...args],
    env: ownEnvironment(program, environment),
    logFile,
    onErrorLine: (line) => {
      onDetail(line.trim().slice(0, DETAIL_LENGTH_MAX));
      return false;
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    guardian,
  });
  const onAbort = () => child.stop();
  signal.addEventListener('abort', onAbort, { once: true });
  // The signal may have been aborted before the process started.
  if (signal.aborted) onAbort();
  const end = await child.ended;
  signal.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
  if (end.code !== 0) throw new StackError(await unexpectedEnd(child));
}
