import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { commandLine, isAlive } from '../processes/inspect.ts';
import { StackError } from './stack-error.ts';

/** Released when the stack has stopped. */
export type Release = () => Promise<void>;

/**
 * Makes this process the only one that works in a local folder.
 * @throws StackError when a stack runs there already, or the folder may not be written.
 */
export async function lockFolder(local: string): Promise<Release> {
  const file = join(local, 'stack.pid');
  try {
    await mkdir(local, { recursive: true, mode: 0o755 });
    for (;;) {
      if (await create(file)) return () => rm(file, { force: true });
      const holder = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
      if (await isStack(holder)) {
        const message =
          `It is already running from this folder (process ${holder}). ` +
          `Stop that one (Ctrl-C, or: kill ${holder}), or give this one a folder of its own ` +
          'with LOCAL_DIR and ports of its own.';
        throw new StackError(message);
      }
      await rm(file, { force: true });
    }
  } catch (error) {
    if (errorCode(error) === 'EACCES') {
      throw new StackError(
        `${local} may not be written: it probably belongs to another user, as after a start ` +
          'as root. Remove it, or set LOCAL_DIR to another folder.',
      );
    }
    throw error;
  }
}

/** A link appears with its content or not at all, so nobody reads a half-written pid. */
async function create(file: string): Promise<boolean> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${process.pid}\n`);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether that pid is a stack, and not a stranger who was given the number later. */
async function isStack(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid === process.pid || !isAlive(pid)) return false;
  return /start\.mjs|run-stack/.test(await commandLine(pid));
}
