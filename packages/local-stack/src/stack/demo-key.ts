import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

/**
 * The ready-made key of the demonstration account, issued by the operator's command over the
 * stores. It exists only in the embedded default: undefined otherwise.
 * @throws StackError when it cannot be issued.
 */
export async function demoKey(
  adminCommand: string,
  settings: StackSettings,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const isEmbedded = settings.databaseUrl === undefined && settings.redisUrl === undefined;
  if (!isEmbedded) return undefined;
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
