import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';

/**
 * Puts a folder in the place of another, and deletes the other. If that fails, the other is in its
 * place again; if that fails too, it is kept as `aside`.
 *
 * @param aside a folder of the same file system, which holds the other meanwhile.
 */
export async function replaceFolder(draft: string, place: string, aside: string): Promise<void> {
  const isReplaced = existsSync(place);
  if (isReplaced) {
    await rm(aside, { recursive: true, force: true });
    await rename(place, aside);
  }
  try {
    await rename(draft, place);
  } catch (error) {
    if (isReplaced) await rename(aside, place);
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
