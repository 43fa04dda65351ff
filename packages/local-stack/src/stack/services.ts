import { basename, dirname, join } from 'node:path';
import type { Guardian } from '../processes/guardian.ts';
import { type ManagedProcess, startProcess } from '../processes/managed-process.ts';
import { ownEnvironment } from './own-secrets.ts';
import type { ServiceSpec } from './product.ts';
import type { StackSettings } from './settings.ts';

/** Services take up to 25 s, after DRAIN_MS, to finish running requests. */
const FINISH_TIMEOUT_MS = 30_000;

export interface ServiceContext {
  readonly settings: StackSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly guardian: Guardian;
  /** Receives the lines of a service that are not log lines. */
  readonly print: (line: string) => void;
  /** Restart a service when its code changes. */
  readonly watch: boolean;
}

/** Starts a service; `/ready` of its internal port shows when it is ready. */
export function startService(spec: ServiceSpec, context: ServiceContext): Promise<ManagedProcess> {
  const { print, watch } = context;
  const printNamed = exceptLogLines((line) => print(`${spec.name}: ${line}`));
  const watched = { onLine: printNamed, onErrorLine: printNamed, isGroup: true };
  return startProcess({
    name: spec.name,
    command: process.execPath,
    args: [
      ...(watch ? ['--watch', '--watch-preserve-output'] : []),
      ...(spec.nodeOptions ?? []),
      spec.entry,
    ],
    env: ownEnvironment(spec.name, context.environment),
    cwd: packageFolder(spec.entry),
    logFile: join(context.settings.folders.logs, `${spec.name}.log`),
    ...(watch ? watched : {}),
    ...(spec.printsMessages ? { onLine: exceptLogLines(print) } : {}),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: FINISH_TIMEOUT_MS + (Number(context.environment.DRAIN_MS) || 0),
    guardian: context.guardian,
  });
}

function packageFolder(entry: string): string {
  let folder = dirname(entry);
  while (basename(folder) !== 'dist' && folder !== dirname(folder)) folder = dirname(folder);
  return dirname(folder);
}

/**
 * Log lines are JSON objects and go only to the log file. Other lines, such as the code of an email,
 * go only to the console.
 */
function exceptLogLines(print: (line: string) => void): (line: string) => boolean {
  return (line) => {
    if (line.trim() === '' || line.startsWith('{')) return false;
    print(line);
    return true;
  };
}
