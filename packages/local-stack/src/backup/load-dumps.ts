import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { StackError } from '../stack/stack-error.ts';
import { connectionOf, type DumpedSchema } from './dump.ts';

/** Dumps in a transaction that is still open: only `commit` makes them visible. */
export interface LoadedDumps {
  /** The answers to the questions, a line of tab-separated values each. */
  readonly answers: readonly (readonly string[])[];
  commit(): Promise<void>;
  /** Leaves the database as it was. */
  abort(): Promise<void>;
}

const LOADED = 'vcds: loaded';

/**
 * Replaces schemas by those of dumps, in one transaction of psql: it ends without a commit, and the
 * database is as it was, if this process or a program is killed, the connection is lost, or any
 * statement fails.
 *
 * @param questions queries about the restored schemas.
 * @throws StackError with the message of pg_restore or psql.
 */
export async function loadDumps(
  url: string,
  folder: string,
  dumps: readonly DumpedSchema[],
  questions: readonly string[],
): Promise<LoadedDumps> {
  const { url: dbname, variables } = connectionOf(url);
  const psql = start('psql', ['-Xq', '--set=ON_ERROR_STOP=1', `--dbname=${dbname}`], {
    ...variables,
    PGOPTIONS: '-c client_min_messages=warning',
    PGAPPNAME: 'vcds-restore',
  });
  // The failure of psql is its exit, with the reason; a broken pipe adds nothing.
  psql.input.on('error', () => undefined);
  // At the end of its input psql closes the session, which rolls back.
  const abort = async (): Promise<void> => {
    psql.input.end();
    await psql.succeeded.catch(() => undefined);
  };
  const commit = async (): Promise<void> => {
    psql.input.end('COMMIT;\n');
    await psql.succeeded;
  };
  const answers: string[][] = [];
  const isLoaded = (async () => {
    for await (const line of createInterface({ input: psql.output })) {
      if (line === LOADED) return true;
      answers.push(line.split('\t'));
    }
    return false;
  })();
  try {
    const schemas = dumps.flatMap((dump) => dump.schemas).join(', ');
    psql.input.write(`\\o /dev/null\nBEGIN;\nDROP SCHEMA IF EXISTS ${schemas} CASCADE;\n`);
    for (const { file } of dumps) await pourDump(join(folder, file), psql);
    const asks = questions.map((question) => `COPY (${question}) TO STDOUT;\n`).join('');
    psql.input.write(`\\o\n${asks}\\echo ${LOADED}\n`);
    if (!(await isLoaded)) {
      await psql.succeeded;
      throw new StackError('psql ended before the dumps were loaded.');
    }
  } catch (error) {
    await abort();
    throw error;
  }
  return { answers, commit, abort };
}

/** Writes a dump as statements to psql. */
async function pourDump(file: string, psql: Program): Promise<void> {
  const restore = start('pg_restore', ['--no-owner', '--no-privileges', '--file=-', file], {});
  restore.input.end();
  try {
    await pipeline(restore.output, psql.input, { end: false });
  } catch (error) {
    restore.kill();
    await psql.succeeded;
    throw error;
  }
  await restore.succeeded;
}

interface Program {
  readonly input: NonNullable<ChildProcess['stdin']>;
  readonly output: NonNullable<ChildProcess['stdout']>;
  /** Rejects with what it printed if it ends otherwise. */
  readonly succeeded: Promise<void>;
  kill(): void;
}

function start(program: string, args: readonly string[], variables: NodeJS.ProcessEnv): Program {
  const child = spawn(program, args, {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const errors = text(child.stderr);
  const succeeded = once(child, 'close').then(async ([code]) => {
    if (code === 0) return;
    throw new StackError(`${program} failed: ${(await errors).trim() || `it ended (${code})`}`);
  });
  // A caller that waits for it receives the failure.
  succeeded.catch(() => undefined);
  return { input: child.stdin, output: child.stdout, succeeded, kill: () => child.kill() };
}
