import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A Redis (or Valkey) server that was tested and runs on this machine. */
export interface RedisProgram {
  readonly command: string;
  /** Variables that it requires. */
  readonly env: NodeJS.ProcessEnv;
  /** `7.0.15`. */
  readonly version: string;
  readonly origin: 'PATH' | 'Debian package';
}

/** Why a program cannot be used. */
export interface Unusable {
  readonly unusable: string;
}

/** The oldest version of Redis that has the commands and scripting features of the product. */
export const REDIS_MAJOR_MIN = 7;
const VERSION_TIMEOUT_MS = 10_000;

/** Runs a program with `--version`: checks that it starts here and is new enough. */
export async function tryProgram(
  command: string,
  origin: RedisProgram['origin'],
  env: NodeJS.ProcessEnv = {},
): Promise<RedisProgram | Unusable> {
  const output = await versionOutput(command, env);
  if (typeof output !== 'string') return output;
  const version = / v=(\d+(?:\.\d+)*)/.exec(output)?.[1];
  if (version === undefined) return { unusable: `${command} --version prints no version` };
  if (Number.parseInt(version, 10) < REDIS_MAJOR_MIN) {
    return { unusable: `${command} is version ${version}` };
  }
  return { command, env, version, origin };
}

async function versionOutput(command: string, env: NodeJS.ProcessEnv): Promise<string | Unusable> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], {
      env: { ...process.env, ...env },
      timeout: VERSION_TIMEOUT_MS,
    });
    return stdout;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { unusable: `${command} does not run (${reason})` };
  }
}
