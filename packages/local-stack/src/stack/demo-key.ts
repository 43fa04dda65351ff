import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ownEnvironment } from './own-secrets.ts';
import type { StackSettings } from './settings.ts';
import { StackError } from './stack-error.ts';

/**
 * The key of the demonstration account, which the operator's command creates. Undefined unless both
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
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [adminCommand, 'demo-key'], {
      env: ownEnvironment('admin', environment),
    });
    const { api_key: key }: { api_key?: unknown } = JSON.parse(stdout);
    if (typeof key === 'string') return key;
    throw new Error('the command printed no api_key');
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new StackError(`The demonstration key cannot be created: ${stderr || String(error)}`);
  }
}
