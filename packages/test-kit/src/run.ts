import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

/** Begins a run; its guardian removes the folder at the latest when this process is gone. */
export async function beginRun(): Promise<TestRun> {
  const id = randomBytes(4).toString('hex');
  // Root's PostgreSQL runs as another account, which must be able to reach its folder.
  const parent = process.getuid?.() === 0 ? ROOT_HOME : tmpdir();
  const folder = join(parent, `vcds-test-${id}`);
  const guardian = openGuardian();
  guardian.remove(folder);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  return { id, folder, guardian };
}
