import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFolders } from '../state.ts';
import { secretsFile } from './secrets.ts';
import { StackError } from './stack-error.ts';

/**
 * Files that the stack and its services make in a local folder and that a fresh start removes.
 * Anything else there belongs to somebody else. The secrets prove that the rest was made by the
 * stack: they are written first and removed last.
 */
const state = [
  'postgres',
  'redis',
  'mail',
  'logs',
  'stack.json',
  'demo.json',
  'demo-key',
  'legacy-signing-key.pem',
  secretsFile,
];

/**
 * Makes sure that what a local folder holds under names of {@link state} was made by a stack, so
 * that nothing of somebody else's is written into or forgotten.
 *
 * @throws StackError when it holds such things and no secrets.
 */
export async function refuseStrangers({ local }: StateFolders): Promise<void> {
  const names = new Set(await readdir(local));
  const strangers = state.filter((name) => names.has(name));
  if (strangers.length === 0 || names.has(secretsFile)) return;
  throw new StackError(
    `${local} holds ${strangers.join(', ')} without the ${secretsFile} of a start, so it is not ` +
      'known to be its own. Move that away, or set LOCAL_DIR to another folder.',
  );
}

/**
 * Makes sure that the database was not lost while the rest of the state was kept, as in a new
 * container that has the same clone and another `/var/lib`. Keys and credits in Redis are of no use
 * without the journal in PostgreSQL that they were derived from.
 *
 * @throws StackError when PostgreSQL's data folder is missing and later state is there.
 */
export async function assertDatabaseKept({ local, postgres }: StateFolders): Promise<void> {
  const left = ['redis', 'demo.json'].map((name) => join(local, name)).filter(existsSync);
  if (left.length === 0 || existsSync(join(postgres, 'data/PG_VERSION'))) return;
  throw new StackError(
    `The database in ${postgres} is missing, and state that belongs to it is still there ` +
      `(${left.join(', ')}). Restore that folder, or start with an empty database: ` +
      'npm start -- --fresh',
  );
}

/** Forgets what the stack keeps in a local folder; touches nothing else that is in it. */
export async function wipe(folders: StateFolders): Promise<void> {
  for (const name of state) await rm(join(folders.local, name), { recursive: true, force: true });
  await wipeDatabase(folders);
}

/** Forgets the database alone; for root it lies outside the local folder. */
export async function wipeDatabase({ postgres }: StateFolders): Promise<void> {
  await rm(postgres, { recursive: true, force: true });
}
