import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresProcess } from '../postgres/server-process.ts';
import { stopStaleServer } from '../processes/server-process.ts';
import { redisProcess } from '../redis/server-process.ts';
import type { StateFolders } from '../state.ts';
import { SECRETS_FILE } from './secrets.ts';
import { StackError } from './stack-error.ts';

/**
 * Files that the stack and its services create in a local folder and that a fresh start deletes.
 * It does not touch other files. The secrets show that a stack created the others: they are written
 * first and deleted last.
 */
const STATE_FILES = [
  'postgres',
  'redis',
  'mail',
  'logs',
  'stack.json',
  'demo.json',
  'demo-key',
  'legacy-signing-key.pem',
  SECRETS_FILE,
];

/**
 * Checks that a stack created the {@link STATE_FILES} of a local folder, so that files of other
 * programs are neither changed nor deleted.
 *
 * @throws StackError if the folder contains such files and no secrets.
 */
export async function assertOwnFolder({ local }: StateFolders): Promise<void> {
  const names = new Set(await readdir(local));
  const found = STATE_FILES.filter((name) => names.has(name));
  if (found.length === 0 || names.has(SECRETS_FILE)) return;
  throw new StackError(
    `${local} contains ${found.join(', ')} without ${SECRETS_FILE}, so these files may belong to ` +
      'another program. Move them, or set LOCAL_DIR to another folder.',
  );
}

/** A restore moves the data folder here until the restored one is in its place. */
export const REPLACED_FOLDER = 'replaced';

/**
 * Puts the data folder back if the process of a restore was killed after it had moved it and before it
 * moved the restored one into place.
 */
export async function putDatabaseBack(postgres: string): Promise<void> {
  const [data, replaced] = [join(postgres, 'data'), join(postgres, REPLACED_FOLDER)];
  if (existsSync(join(data, 'PG_VERSION')) || !existsSync(join(replaced, 'PG_VERSION'))) return;
  // An interrupted initdb may have left some files.
  await rm(data, { recursive: true, force: true });
  await rename(replaced, data);
}

/**
 * Checks that the database exists if other state does. A new container may have the same clone and
 * another `/var/lib`. The keys and credits in Redis are derived from the journal in PostgreSQL.
 *
 * @throws StackError if PostgreSQL's data folder is missing and other state exists.
 */
export async function assertDatabaseKept({ local, postgres }: StateFolders): Promise<void> {
  await putDatabaseBack(postgres);
  const others = ['redis', 'demo.json'].map((name) => join(local, name)).filter(existsSync);
  if (others.length === 0 || existsSync(join(postgres, 'data/PG_VERSION'))) return;
  throw new StackError(
    `The database in ${postgres} is missing, but other state of it exists ` +
      `(${others.join(', ')}). Restore that folder, or start with an empty database: ` +
      'npm start -- --fresh',
  );
}

/**
 * Deletes the state of the stack in a local folder, and no other files. Servers of a killed stack
 * that still use it are stopped first.
 */
export async function wipe(folders: StateFolders): Promise<void> {
  // Before the files by which they are recognised are deleted.
  await stopStaleServer(redisProcess(folders.redis));
  await wipeDatabase(folders);
  for (const name of STATE_FILES)
    await rm(join(folders.local, name), { recursive: true, force: true });
}

/** Deletes the database; for root it is outside the local folder. */
export async function wipeDatabase({ postgres }: StateFolders): Promise<void> {
  await stopStaleServer(postgresProcess(join(postgres, 'data')));
  await rm(postgres, { recursive: true, force: true });
}
