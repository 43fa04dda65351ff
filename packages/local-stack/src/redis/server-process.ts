import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { ServerProcess } from '../processes/server-process.ts';

/** The configuration file of the Redis of a folder. */
export function configurationFile(folder: string): string {
  return join(folder, 'redis.conf');
}

/**
 * The beginning of the title of the Redis of a folder. Redis cuts its title at 255 characters, so
 * the paths of its program and configuration may not be in it.
 */
export function titleOf(folder: string): string {
  const digest = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
  return `redis-server vcds-${digest}`;
}

/**
 * The Redis (or Valkey) that uses a folder. Its title begins with a digest of the folder. Before it has
 * a title, and in earlier versions, its command line has its configuration file.
 */
export function redisProcess(folder: string): ServerProcess {
  const configuration = configurationFile(folder);
  const beginning = `${titleOf(folder)} `;
  return {
    name: 'Redis',
    folder,
    pidFile: join(folder, 'redis.pid'),
    isCommand: (command) =>
      command.startsWith(beginning) ||
      (/(redis|valkey)-server/.test(command) && command.includes(configuration)),
    stopSignal: 'SIGTERM',
  };
}
