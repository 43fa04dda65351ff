import { randomBytes } from 'node:crypto';
import { mkdir, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Guardian, openGuardian, ROOT_HOME } from '@vcds/local-stack';

/** One test run: its name, its folder, and who cleans up when it is killed. */
export interface TestRun {
  /** Eight hexadecimal digits. */
  readonly id: string;
  /** Made for this run, removed with it. */
  readonly folder: string;
  readonly guardian: Guardian;
}

const GIBIBYTE = 2 ** 30;
const MEMORY_FOLDER = '/dev/shm';
/** A whole test run stores about 2 GiB. */
const MEMORY_FOLDER_BYTES_MIN = 4 * GIBIBYTE;
const FREE_MEMORY_BYTES_MIN = 6 * GIBIBYTE;

/** Begins a run; its guardian removes the folder at the latest when this process is gone. */
export async function beginRun(parent = diskFolder()): Promise<TestRun> {
  const id = randomBytes(4).toString('hex');
  const folder = join(parent, `vcds-test-${id}`);
  const guardian = openGuardian();
  guardian.remove(folder);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  return { id, folder, guardian };
}

/**
 * The folder of runs that create and drop hundreds of databases: in memory if there is plenty, since
 * ext4 takes up to a third of such a run's processor time to find numbers for new files.
 */
export async function fastFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    const isRoomy = bavail * bsize >= MEMORY_FOLDER_BYTES_MIN && freemem() >= FREE_MEMORY_BYTES_MIN;
    return isRoomy ? MEMORY_FOLDER : diskFolder();
  } catch {
    return diskFolder();
  }
}

/** Root's PostgreSQL runs as another account, which must be able to reach its folder. */
function diskFolder(): string {
  return process.getuid?.() === 0 ? ROOT_HOME : tmpdir();
}
