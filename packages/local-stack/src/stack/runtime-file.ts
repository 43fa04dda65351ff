import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJsonFile } from '../json-file.ts';

/** The file about a running stack for other commands; it exists as long as the stack runs. */
export const RUNTIME_FILE = 'stack.json';

/** Variables that commands such as `npm run ingest` take from a running stack. */
const SHARED_VARIABLES = [
  'DATABASE_URL',
  'DATA_WORKER_DATABASE_URL',
  'ACCESS_DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'ACCESS_MIGRATION_DATABASE_URL',
  'IMPORT_DATABASE_URL',
  'REDIS_URL',
  'QUEUE_REDIS_URL',
  'SERVICE_TOKEN_SECRET',
  'CODE_SECRET',
  'ACCESS_INTERNAL_URL',
  'DATA_API_PUBLIC_URL',
  'ACCESS_API_PUBLIC_URL',
  'LOCAL_DIR',
  'SNAPSHOT_URL',
  'MAIL_TRANSPORT',
  'MAIL_DIR',
];

/** Writes the file, which contains passwords, and returns a function that deletes it. */
export async function publishRuntime(
  local: string,
  urls: { readonly base_url: string; readonly auth_url: string },
  environment: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  const shared = SHARED_VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const file = join(local, RUNTIME_FILE);
  await writeJsonFile(file, { pid: process.pid, ...urls, environment: Object.fromEntries(shared) });
  return () => rm(file, { force: true });
}
