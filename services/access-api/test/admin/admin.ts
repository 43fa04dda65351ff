import { runAdmin } from '../../src/admin/run.ts';
import type { Access } from '../access.ts';

/** The exit status and the output of a command. */
export interface Run {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly isInteractive?: boolean;
  readonly localDir?: string;
}

/** Runs a command of the operator on the stores of an access-api. */
export async function adminOf(
  { databaseUrl, redisUrl, clock }: Access,
  words: string,
  { environment, input = '', isInteractive = false, localDir = '/nowhere' }: RunOptions = {},
): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runAdmin(words.split(' ').filter(Boolean), {
    environment: { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...environment },
    localDir,
    readInput: async () => input,
    isInteractive,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    clock,
  });
  return { status, out: out.join('\n'), err: err.join('\n') };
}
