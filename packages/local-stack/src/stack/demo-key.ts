import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAdmin } from '../backup/programs.ts';
import { authUrl } from './banner.ts';
import type { StackSettings } from './settings.ts';

const TIMEOUT_MS = 5_000;

/**
 * The key of the demonstration account, once the services are ready: that of an earlier start, if
 * access-api accepts it, else that of the operator's command, which creates it. Undefined unless both
 * stores are embedded.
 * @throws StackError if it cannot be created.
 */
export async function demoKey(
  adminCommand: string,
  settings: StackSettings,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const isEmbedded = settings.databaseUrl === undefined && settings.redisUrl === undefined;
  if (!isEmbedded) return undefined;
  const text = await readFile(join(settings.folders.local, 'demo-key'), 'utf8').catch(() => '');
  const stored = text.trim();
  if (stored !== '' && (await isValid(stored, settings))) return stored;
  const { api_key: key } = await runAdmin(adminCommand, ['demo-key'], environment);
  return String(key);
}

/** By the free call for the balance of a key. */
async function isValid(key: string, settings: StackSettings): Promise<boolean> {
  const { port } = settings.ports.accessApi;
  const url = `http://127.0.0.1:${port}${new URL(authUrl(settings)).pathname}/usage`;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return (await fetch(url, { headers: { 'X-Api-Key': key }, signal })).status === 200;
  } catch {
    return false;
  }
}
