import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An account to create. */
export interface AccountSpec {
  readonly plan: string;
  readonly keys: readonly {
    readonly scopes?: readonly string[];
    readonly expiresInSeconds?: number;
  }[];
}

/** A key: its text and its id. */
export interface IssuedKey {
  readonly apiKey: string;
  readonly keyId: string;
}

/** An account and its keys. */
export interface IssuedAccount {
  readonly accountId: string;
  readonly keys: readonly IssuedKey[];
}

/** The operator's commands on one installation, all in one process, started with the first. */
export interface Operator {
  /** Runs a command; its line of JSON. @throws Error with what it printed. */
  admin(words: readonly string[], input?: string): Promise<Record<string, string>>;
  /** Creates accounts and issues their keys. */
  issue<const Specs extends readonly AccountSpec[]>(
    ...accounts: Specs
  ): Promise<{ [Index in keyof Specs]: IssuedAccount }>;
  /** Everything it wrote beside results. */
  readonly output: () => string;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../bin/operator.mjs', import.meta.url));

/** @param environment DATABASE_URL of access-api's role, and REDIS_URL. */
export function openOperator(environment: NodeJS.ProcessEnv): Operator {
  let program: ReturnType<typeof start> | undefined;
  const ask = (request: object): Promise<unknown> => {
    program ??= start(environment);
    return program.ask(request);
  };
  return {
    admin: async (words, input = '') => (await ask({ words, input })) as Record<string, string>,
    issue: async (...accounts) => (await ask({ accounts })) as never,
    output: () => program?.output() ?? '',
    close: async () => program?.close(),
  };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function start(environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: 'pipe',
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  const waiting: Waiting[] = [];
  createInterface(child.stdout).on('line', (line) => {
    const { result, error } = JSON.parse(line);
    const next = waiting.shift();
    if (error === undefined) next?.resolve(result);
    else next?.reject(new Error(error));
  });
  child.on('exit', () => {
    for (const each of waiting) each.reject(new Error('The process of the operator ended.'));
  });
  return {
    output: () => output,
    ask: (request: object): Promise<unknown> =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${JSON.stringify(request)}\n`);
      }),
    close: async () => {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    },
  };
}
