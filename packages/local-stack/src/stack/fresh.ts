import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFolders } from '../state.ts';
import { secretsFile } from './secrets.ts';
import { StackError } from './stack-error.ts';

/**
 * What the stack and its services make in a local folder and a fresh start forgets. Anything else
 * there is a stranger's, or would only have to be downloaded or done again: `tools`, `setup.json`.
 * The secrets, which say that the rest is the stack's, come first and go last.
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

/** Forgets what the stack keeps in a local folder; touches nothing else that is in it. */
export async function wipe(folders: StateFolders): Promise<void> {
  for (const name of state) await rm(join(folders.local, name), { recursive: true, force: true });
  await wipeDatabase(folders);
}

/** Forgets the database alone; for root it lies outside the local folder. */
export async function wipeDatabase({ postgres }: StateFolders): Promise<void> {
  await rm(postgres, { recursive: true, force: true });
}
