import { basename, dirname, join } from 'node:path';
import type { Guardian } from '../processes/guardian.ts';
import { type ManagedProcess, startProcess } from '../processes/managed-process.ts';
import type { ServiceSpec } from './product.ts';
import type { StackSettings } from './settings.ts';

/** The services take up to 25 s, after DRAIN_MS, to finish what they are doing. */
const finishTimeoutMs = 30_000;

export interface ServiceContext {
  readonly settings: StackSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly guardian: Guardian;
  /** Receives the lines a service writes for people. */
  readonly say: (line: string) => void;
  /** Restart a service when the code that it has loaded changes. */
  readonly watch: boolean;
}

/** Starts one service; it is ready when its internal listener says so. */
export function startService(spec: ServiceSpec, context: ServiceContext): Promise<ManagedProcess> {
  const { say, watch } = context;
  const sayNamed = sayUnlessLog((line) => say(`${spec.name}: ${line}`));
  const watched = { onLine: sayNamed, onErrorLine: sayNamed, isGroup: true };
  return startProcess({
    name: spec.name,
    command: process.execPath,
    args: [...(watch ? ['--watch', '--watch-preserve-output'] : []), spec.entry],
    env: context.environment,
    cwd: packageFolder(spec.entry),
    logFile: join(context.settings.folders.logs, `${spec.name}.log`),
    ...(watch ? watched : {}),
    ...(spec.speaks ? { onLine: sayUnlessLog(say) } : {}),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: finishTimeoutMs + (Number(context.environment.DRAIN_MS) || 0),
    guardian: context.guardian,
  });
}

function packageFolder(entry: string): string {
  let folder = dirname(entry);
  while (basename(folder) !== 'dist' && folder !== dirname(folder)) folder = dirname(folder);
  return dirname(folder);
}

/**
 * Log lines are JSON objects; they go to the log file alone. What is said to the person, such as
 * a code out of a mail, goes to the console alone.
 */
function sayUnlessLog(say: (line: string) => void): (line: string) => boolean {
  return (line) => {
    if (line.trim() === '' || line.startsWith('{')) return false;
    say(line);
    return true;
  };
}
