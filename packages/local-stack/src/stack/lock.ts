import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@vcds/service-kit/error-code';
import { commandLine, isAlive } from '../processes/inspect.ts';
import { StackError } from './stack-error.ts';

/** Releases the lock. */
export type Release = () => Promise<void>;

/**
 * Locks a local folder for this process.
 * @throws StackError if a stack uses it already, or the folder cannot be used.
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
          `Another stack uses this folder already (process ${holder}). ` +
          `Stop it (Ctrl-C, or: kill ${holder}), or start this one with another LOCAL_DIR and ` +
          'other ports.';
        throw new StackError(message);
      }
      await discard(file, held);
    }
  } catch (error) {
    const sentence = SENTENCES[String(errorCode(error))];
    if (sentence !== undefined) throw new StackError(`${local} ${sentence}`);
    throw error;
  }
}

const NO_LINKS =
  'is on a file system without hard links, such as FAT and some network shares. Set LOCAL_DIR to a ' +
  'folder on a local disk.';

/** Sentences for the error codes of the file system, after the path of the folder. */
const SENTENCES: Readonly<Record<string, string>> = {
  EACCES:
    'is not writable: it probably belongs to another user, for example after a start as root. ' +
    'Delete it, or set LOCAL_DIR to another folder.',
  EROFS: 'is on a read-only file system. Set LOCAL_DIR to a writable folder.',
  ENOSPC: 'is on a full disk. Free some space, or set LOCAL_DIR to a folder on another disk.',
  EPERM: NO_LINKS,
  ENOTSUP: NO_LINKS,
  EOPNOTSUPP: NO_LINKS,
  ENOSYS: NO_LINKS,
};

/**
 * Deletes the lock file of a stack that no longer runs. A second lock file serializes this: of two
 * starts that have read the same content, the later one would delete the new file of the other.
 */
async function discard(file: string, held: string): Promise<void> {
  const mutex = `${file}.mutex`;
  if (!(await create(mutex))) {
    // Another start holds it briefly, or was killed while it did.
    const holder = await contentOf(mutex);
    const isStale = holder !== undefined && !(await isStack(Number.parseInt(holder, 10)));
    if (isStale) await rm(mutex, { force: true });
    return;
  }
  try {
    if ((await contentOf(file)) === held) await rm(file, { force: true });
  } finally {
    await rm(mutex, { force: true });
  }
}

/** Undefined if there is no such file; empty if it cannot be read. */
function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error) => (errorCode(error) === 'ENOENT' ? undefined : ''));
}

/** Creates a file atomically with its content: no reader gets a partial pid. */
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

/** Whether this pid is a stack, and not another process that got the same number later. */
async function isStack(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid === process.pid || !isAlive(pid)) return false;
  return /(start|dev|backup|restore)\.mjs|run-stack/.test(await commandLine(pid));
}
