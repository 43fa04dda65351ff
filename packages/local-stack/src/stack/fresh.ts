import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { StateFolders } from '../state.ts';

/** What a fresh start keeps: no state, only what would have to be downloaded or done again. */
const kept = (folders: StateFolders) => [basename(folders.tools), 'setup.json', 'stack.pid'];

/** Forgets everything a local folder holds: database, Redis, mail, logs, secrets. */
export async function wipe(folders: StateFolders): Promise<void> {
  const keep = kept(folders);
  for (const name of await readdir(folders.local)) {
    if (!keep.includes(name)) await rm(join(folders.local, name), { recursive: true });
  }
  await wipeDatabase(folders);
}

/** Forgets the database alone; for root it lies outside the local folder. */
export async function wipeDatabase({ postgres }: StateFolders): Promise<void> {
  await rm(postgres, { recursive: true, force: true });
}
