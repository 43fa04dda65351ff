import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RedisSearch } from './discover.ts';
import { onPath } from './path.ts';
import { type RedisProgram, tryProgram, type Unusable } from './program.ts';

/** The last version of Redis under the BSD licence. */
const BUILT_VERSION = '7.2.7';
const ORIGIN = 'redis-memory-server';
const BUILD_TIMEOUT_MS = 900_000;

/** Redis from source, built once by the redis-memory-server package. */
export async function builtRedis(search: RedisSearch): Promise<RedisProgram | Unusable> {
  const folder = join(search.tools, 'redis-built');
  const builtBefore = await tryProgram(join(folder, BUILT_VERSION, 'redis-server'), ORIGIN);
  if ('command' in builtBefore) return builtBefore;
  if (!(await canBuild(search.environment)))
    return { unusable: 'make and a C compiler, to build it, are not installed' };
  const script = fileURLToPath(new URL('../../bin/build-redis.mjs', import.meta.url));
  search.announce(`Downloading and building Redis ${BUILT_VERSION} (takes some minutes, once)`);
  try {
    await mkdir(folder, { recursive: true });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [script, BUILT_VERSION, folder],
      {
        // Without this variable the package does not verify certificates.
        env: { ...search.environment, npm_config_strict_ssl: 'true' },
        timeout: BUILD_TIMEOUT_MS,
        maxBuffer: 64 * 1_048_576,
      },
    );
    return await tryProgram(stdout.trim().split('\n').at(-1) ?? '', ORIGIN);
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason = words.split('\n').at(-1) || String(error);
    return { unusable: `building it failed (${reason})` };
  }
}

async function canBuild(environment: NodeJS.ProcessEnv): Promise<boolean> {
  const [make, compiler] = await Promise.all(
    ['make', 'cc'].map((name) => onPath(name, environment)),
  );
  return make !== undefined && compiler !== undefined;
}
