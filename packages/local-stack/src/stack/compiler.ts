import { join } from 'node:path';
import type { Guardian } from '../processes/guardian.ts';
import { type ManagedProcess, startProcess } from '../processes/managed-process.ts';
import { repositoryRoot } from '../state.ts';

const stopTimeoutMs = 5_000;

/**
 * Starts the TypeScript compiler, which builds sources again as they change. Its messages go to
 * standard error and to a log.
 * @param command its script and arguments.
 * @param logs folder of the log file.
 */
export function startCompiler(
  command: readonly string[],
  logs: string,
  guardian: Guardian,
): Promise<ManagedProcess> {
  return startProcess({
    name: 'the compiler',
    command: process.execPath,
    args: command,
    cwd: repositoryRoot,
    env: process.env,
    logFile: join(logs, 'compiler.log'),
    onLine: (line) => {
      if (line.trim() !== '') process.stderr.write(`compiler: ${line}\n`);
      return false;
    },
    // After SIGTERM it takes seconds to end. It writes what it builds before the record of it, so
    // that the next build repeats what was cut short.
    stopSignal: 'SIGKILL',
    stopTimeoutMs,
    isGroup: true,
    guardian,
  });
}
