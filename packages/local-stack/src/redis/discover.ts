import { debianRedis } from './debian.ts';
import { builtRedis } from './memory-server.ts';
import { onPath } from './path.ts';
import { REDIS_MAJOR_MIN, type RedisProgram, tryProgram, type Unusable } from './program.ts';

export interface RedisSearch {
  readonly environment: NodeJS.ProcessEnv;
  /** Folder for downloaded programs. */
  readonly tools: string;
  /** Receives a sentence about a step that takes time. */
  readonly announce: (sentence: string) => void;
  /** Gives the search up, with whatever it is running. */
  readonly signal?: AbortSignal;
}

/** Every name the server goes by; Valkey is Redis' successor under a free licence. */
const programNames = ['redis-server', 'valkey-server'];

const NOTHING_FOUND =
  `Redis ${REDIS_MAJOR_MIN} or newer is needed and none was found: install redis-server ` +
  '(Debian 12, Ubuntu 24.04 or newer: apt-get install redis-server; older ones: ' +
  'https://redis.io/docs/latest/operate/oss_and_stack/install/; macOS: brew install redis) ' +
  'or set REDIS_URL to the address of a running Redis.';

/**
 * A Redis server program: on PATH, else Debian's package unpacked into the tools folder, else
 * built by the redis-memory-server package.
 * @throws Error one sentence saying what to install, followed by what was tried.
 */
export async function findRedis(search: RedisSearch): Promise<RedisProgram> {
  const tried: string[] = [];
  for (const place of [redisOnPath, debianRedis, builtRedis]) {
    const found = await place(search);
    search.signal?.throwIfAborted();
    if ('command' in found) return found;
    tried.push(found.unusable);
  }
  throw new Error(`${NOTHING_FOUND}\n  Tried: ${tried.join('; ')}.`);
}

async function redisOnPath({ environment }: RedisSearch): Promise<RedisProgram | Unusable> {
  const reasons: string[] = [];
  for (const name of programNames) {
    const command = await onPath(name, environment);
    if (command === undefined) continue;
    const found = await tryProgram(command, 'PATH');
    if ('command' in found) return found;
    reasons.push(found.unusable);
  }
  return { unusable: reasons.join('; ') || `no ${programNames.join(' or ')} on PATH` };
}
