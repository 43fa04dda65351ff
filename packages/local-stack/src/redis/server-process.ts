import { join } from 'node:path';
import type { ServerProcess } from '../processes/server-process.ts';

/** The configuration file of the Redis of a folder. */
export function configurationFile(folder: string): string {
  return join(folder, 'redis.conf');
}

/** The Redis (or Valkey) that uses a folder: its command line has its configuration file. */
export function redisProcess(folder: string): ServerProcess {
  const configuration = configurationFile(folder);
  return {
    name: 'Redis',
    folder,
    pidFile: join(folder, 'redis.pid'),
    isCommand: (command) =>
      /(redis|valkey)-server/.test(command) && `${command} `.includes(` ${configuration} `),
    stopSignal: 'SIGTERM',
  };
}
