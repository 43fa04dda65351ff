import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

const answerTimeoutMs = 10_000;

/**
 * The ready-made key of the demonstration account, which exists only in the embedded default
 * (undefined otherwise). It stays the same from start to start for as long as it works.
 * @throws StackError when it cannot be issued.
 */
export async function demoKey(
  adminCommand: string,
  settings: StackSettings,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const isEmbedded = settings.databaseUrl === undefined && settings.redisUrl === undefined;
  if (!isEmbedded || !existsSync(adminCommand)) return undefined;
  const file = join(settings.folders.local, 'demo-key');
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (stored !== '' && (await works(stored, settings))) return stored;
  const key = await issue(adminCommand, environment);
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** Asks for the rate card, which is free but for valid keys only. */
async function works(key: string, { ports }: StackSettings): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${ports.dataApi.port}/v2/pricing`, {
      headers: { 'X-Api-Key': key },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.body?.cancel();
    return response.status !== 401;
  } catch {
    return false;
  }
}

async function issue(adminCommand: string, environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [adminCommand, 'demo-key'], {
      env: environment,
    });
    const { api_key: key }: { api_key?: unknown } = JSON.parse(stdout);
    if (typeof key === 'string') return key;
    throw new Error('its answer holds no api_key');
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new StackError(`The ready-made key cannot be issued: ${words || String(error)}`);
  }
}
