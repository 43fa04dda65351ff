import { debianRedis } from './debian.ts';
import { onPath } from './path.ts';
import { REDIS_MAJOR_MIN, type RedisProgram, tryProgram, type Unusable } from './program.ts';

export interface RedisSearch {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder for downloaded programs. */
  readonly tools: string;
  /** Receives a sentence about each long step. */
  readonly announce: (sentence: string) => void;
  /** Aborts the search and its running command. */
  readonly signal?: AbortSignal;
}

/** Names of the server; Valkey is a fork of Redis under a free licence. */
const PROGRAM_NAMES = ['redis-server', 'valkey-server'];

const NOTHING_FOUND =
  `Redis ${REDIS_MAJOR_MIN} or newer is required, and none was found. Install redis-server ` +
  '(Debian 12, Ubuntu 24.04 or newer: apt-get install redis-server; older versions: ' +
  'https://redis.io/docs/latest/operate/oss_and_stack/install/; macOS: brew install redis) ' +
  'or set REDIS_URL to the address of a running Redis.';

/**
 * Finds a Redis server: on PATH, else Debian's package in the tools folder.
 * @throws Error with a sentence that names the package to install, and the reasons of each step.
 */
export async function findRedis(search: RedisSearch): Promise<RedisProgram> {
  const tried: string[] = [];
  for (const source of [redisOnPath, debianRedis]) {
    const found = await source(search);
    search.signal?.throwIfAborted();
    if ('command' in found) return found;
    tried.push(found.unusable);
  }
  throw new Error(`${NOTHING_FOUND}\n  Tried: ${tried.join('; ')}.`);
}

async function redisOnPath({ environment }: RedisSearch): Promise<RedisProgram | Unusable> {
  const reasons: string[] = [];
  for (const name of PROGRAM_NAMES) {
    const command = await onPath(name, environment);
    if (command === undefined) continue;
    const found = await tryProgram(command, 'PATH');
    if ('command' in found) return found;
    reasons.push(found.unusable);
  }
  return { unusable: reasons.join('; ') || `no ${PROGRAM_NAMES.join(' or ')} on PATH` };
}
