import { debianRedis } from './debian.ts';
import { builtRedis } from './memory-server.ts';
import { onPath } from './path.ts';
import { type RedisProgram, tryProgram, type Unusable } from './program.ts';

export interface RedisSearch {
  readonly environment: NodeJS.ProcessEnv;
  /** Folder for downloaded programs. */
  readonly tools: string;
  /** Hears, in a sentence, what takes time. */
  readonly announce: (sentence: string) => void;
  /** Gives the search up, with whatever it is running. */
  readonly signal?: AbortSignal;
}

/** Every name the server goes by; Valkey is Redis' successor under a free licence. */
const programNames = ['redis-server', 'valkey-server'];

const nothingFound =
  'Redis 7 or newer is needed and none was found: install it (Debian and Ubuntu: ' +
  'apt-get install redis-server; macOS: brew install redis) or set REDIS_URL to a running one.';

/**
 * A Redis server program: on PATH, else Debian's package unpacked into the tools folder, else
 * built by the redis-memory-server package (`decisions.md` §1).
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
  throw new Error(`${nothingFound}\n  Tried: ${tried.join('; ')}.`);
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
