import { readFile, rename, writeFile } from 'node:fs/promises';
import { errorCode } from '@vcds/service-kit/error-code';

/**
 * The content of a JSON file; undefined if there is no such file.
 * @throws SyntaxError if it is not JSON.
 */
export async function readJsonFile<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces a JSON file that only its owner can read, atomically: a crash leaves it whole. */
export async function writeJsonFile(file: string, value: unknown): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
