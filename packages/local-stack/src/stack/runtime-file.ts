import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What other commands of the product need in order to use a running stack. */
export interface RuntimeInfo {
  readonly pid: number;
  readonly base_url: string;
  readonly auth_url: string;
  /** Variables to set for a command that is to work on this stack. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Its name in the local folder, for as long as the stack runs. */
export const runtimeFile = 'stack.json';

/** Variables that `npm run ingest` and similar commands take over from a running stack. */
const sharedVariables = [
  'DATABASE_URL',
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
  'MAIL_TRANSPORT',
  'MAIL_DIR',
];

/** Writes the file (owner only; it holds passwords) and returns what removes it. */
export async function publishRuntime(
  local: string,
  urls: { readonly base_url: string; readonly auth_url: string },
  environment: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> {
  const shared = sharedVariables.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const info: RuntimeInfo = {
    pid: process.pid,
    ...urls,
    environment: Object.fromEntries(shared),
  };
  const file = join(local, runtimeFile);
  await writeFile(file, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  return () => rm(file, { force: true });
}
