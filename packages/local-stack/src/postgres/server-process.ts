import { join } from 'node:path';
import type { ServerProcess } from '../processes/server-process.ts';

/**
 * The PostgreSQL that uses a data folder. The lock file of one that was killed would prevent the
 * start if another program has its process id by now.
 */
export function postgresProcess(data: string): ServerProcess {
  return {
    name: 'PostgreSQL',
    folder: data,
    pidFile: join(data, 'postmaster.pid'),
    isCommand: (command) => command.includes(data),
    // PostgreSQL's fast shutdown: it ends the sessions and writes all data.
    stopSignal: 'SIGINT',
  };
}
