import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { commandLine, isAlive } from '../processes/inspect.ts';
import { StackError } from './stack-error.ts';

/** Released when the stack has stopped. */
export type Release = () => Promise<void>;

/**
 * Makes this process the only one that works in a local folder.
 * @throws StackError when a stack runs there already, or the folder cannot be used.
 */
export async function lockFolder(local: string): Promise<Release> {
  const file = join(local, 'stack.pid');
  try {
    await mkdir(local, { recursive: true, mode: 0o755 });
    for (;;) {
      if (await create(file)) return () => rm(file, { force: true });
      const held = await contentOf(file);
      if (held === undefined) continue;
      const holder = Number.parseInt(held, 10);
      if (await isStack(holder)) {
        const message =
          `It is already running from this folder (process ${holder}). ` +
          `Stop that one (Ctrl-C, or: kill ${holder}), or give this one a folder of its own ` +
          'with LOCAL_DIR and ports of its own.';
        throw new StackError(message);
      }
      await discard(file, held);
    }
  } catch (error) {
    const sentence = sentences[String(errorCode(error))];
    if (sentence !== undefined) throw new StackError(`${local} ${sentence}`);
    throw error;
  }
}

const noLinks =
  'is on a file system without hard links, as FAT and some network shares are. Set LOCAL_DIR to a ' +
  'folder on a local disk.';

/** What the error codes of the file system mean for the person who started the stack. */
const sentences: Readonly<Record<string, string>> = {
  EACCES:
    'may not be written: it probably belongs to another user, as after a start as root. Remove ' +
    'it, or set LOCAL_DIR to another folder.',
  EROFS: 'is on a read-only file system. Set LOCAL_DIR to a folder that can be written.',
  ENOSPC: 'is on a disk that is full. Free some space, or set LOCAL_DIR to a folder elsewhere.',
  EPERM: noLinks,
  ENOTSUP: noLinks,
  EOPNOTSUPP: noLinks,
  ENOSYS: noLinks,
};

/**
 * Takes away the file of a stack that is no more. Starts do so by turns: of two that have read the
 * same, the later one would take away the file that the earlier one has put there since.
 */
async function discard(file: string, held: string): Promise<void> {
  const turn = `${file}.turn`;
  if (!(await create(turn))) {
    // Somebody has it for a moment, or was killed in that moment.
    const taker = await contentOf(turn);
    const isLeft = taker !== undefined && !(await isStack(Number.parseInt(taker, 10)));
    if (isLeft) await rm(turn, { force: true });
    return;
  }
  try {
    if ((await contentOf(file)) === held) await rm(file, { force: true });
  } finally {
    await rm(turn, { force: true });
  }
}

/** Undefined when it is not there, empty when it cannot be read. */
function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error) => (errorCode(error) === 'ENOENT' ? undefined : ''));
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
  return /(start|dev)\.mjs|run-stack/.test(await commandLine(pid));
}
