import { join } from 'node:path';
import type { Guardian } from '../processes/guardian.ts';
import { type ManagedProcess, startProcess } from '../processes/managed-process.ts';
import { repositoryRoot } from '../state.ts';

const STOP_TIMEOUT_MS = 5_000;

/**
 * Starts the TypeScript compiler, which rebuilds changed sources. Its messages go to standard error
 * and to a log.
 * @param command its script and arguments.
 * @param logs the folder of the log file.
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
    // It needs seconds to exit after SIGTERM. It writes its output before its build info, so that
    // the next build repeats an interrupted one.
    stopSignal: 'SIGKILL',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    isGroup: true,
    guardian,
  });
}
