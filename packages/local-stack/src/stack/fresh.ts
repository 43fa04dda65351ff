import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFolders } from '../state.ts';

/**
 * What the stack and its services make in a local folder and a fresh start forgets. Anything else
 * there is a stranger's, or would only have to be downloaded or done again: `tools`, `setup.json`.
 */
const state = [
  'postgres',
  'redis',
  'mail',
  'logs',
  'secrets.json',
  'stack.json',
  'demo.json',
  'demo-key',
  'legacy-signing-key.pem',
];

/** Forgets what the stack keeps in a local folder; touches nothing else that is in it. */
export async function wipe(folders: StateFolders): Promise<void> {
  for (const name of state) await rm(join(folders.local, name), { recursive: true, force: true });
  await wipeDatabase(folders);
}

/** Forgets the database alone; for root it lies outside the local folder. */
export async function wipeDatabase({ postgres }: StateFolders): Promise<void> {
  await rm(postgres, { recursive: true, force: true });
}
