import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '@vcds/service-kit/error-code';
import type { Guardian } from '../processes/guardian.ts';
import { ownEnvironment } from '../stack/own-secrets.ts';
import { StackError } from '../stack/stack-error.ts';

interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the program, with the processes that it has started, if this process is killed. */
  readonly guardian?: Guardian;
}

/** Runs a program to its end. @throws StackError with what it wrote on standard error. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { guardian, ...options }: ProgramOptions = {},
): Promise<string> {
  const child = spawn(program, args, {
    ...options,
    detached: guardian !== undefined,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  const unregister = pid === undefined ? undefined : guardian?.stop(-pid, 'SIGKILL', 0);
  try {
    const ended = once(child, 'close');
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    if (code === 0) return output;
    throw new StackError(`${program} failed: ${errors.trim() || `it ended (${code})`}`);
  } catch (error) {
    throw errorCode(error) === 'ENOENT' ? new StackError(`${program} is not on PATH.`) : error;
  } finally {
    unregister?.();
  }
}

/** Runs the operator's command with the secrets that it needs, and parses what it prints. */
export async function runAdmin(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Record<string, unknown>> {
  const env = ownEnvironment('admin', environment);
  return JSON.parse(await runProgram(process.execPath, [command, ...args], { env }));
}

/** The SHA-256 digest of a file, in hexadecimal digits. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
