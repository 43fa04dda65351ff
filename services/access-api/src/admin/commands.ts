import { digestOf, parseApiKey } from '@vcds/credentials';
import type { AccountRecord } from '../journal/history.ts';
import { type CommandLine, readDays, readPlan, readScopes, UsageError } from './arguments.ts';
import { demoKey } from './demo-key.ts';
import type { Administration } from './open.ts';

/** What a command may reach beyond accounts and keys. */
export interface CommandContext {
  readonly administration: Administration;
  readonly localDir: string;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** Shows how far a long command has come. */
  readonly showProgress: (sentence: string) => void;
}

/** One command: a row of the operator's table. Its result is printed as one line of JSON. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly operands: number;
  readonly options: readonly string[];
  readonly run: (line: CommandLine, context: CommandContext) => Promise<object>;
}

const REVOKE: Command = {
  usage: 'key revoke KEY_ID | key revoke -',
  summary: 'Revokes a key, by id, or the key itself read from standard input.',
  operands: 1,
  options: [],
  run: revokeKey,
};

/** The operator's commands, by name; `revoke` is short for `key revoke`. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'account create',
    {
      usage: 'account create [--email ADDRESS] [--name NAME] [--plan PLAN]',
      summary: 'Makes an account, on the free plan unless told otherwise.',
      operands: 0,
      options: ['email', 'name', 'plan'],
      run: createAccount,
    },
  ],
  [
    'account show',
    {
      usage: 'account show ACCOUNT',
      summary: 'Shows an account, by id or address, and its keys.',
      operands: 1,
      options: [],
      run: async (line, { administration }) => describe(await findAccount(line, administration)),
    },
  ],
  [
    'plan',
    {
      usage: 'plan ACCOUNT PLAN',
      summary: 'Puts an account on a plan.',
      operands: 2,
      options: [],
      run: setPlan,
    },
  ],
  [
    'key issue',
    {
      usage: 'key issue ACCOUNT [--label TEXT] [--scopes A,B] [--expires-in-days N]',
      summary: 'Issues a key and shows it, once.',
      operands: 1,
      options: ['label', 'scopes', 'expires-in-days'],
      run: issueKey,
    },
  ],
  ['key revoke', REVOKE],
  ['revoke', REVOKE],
  [
    'rebuild',
    {
      usage: 'rebuild',
      summary: 'Makes Redis hold what the journal holds.',
      operands: 0,
      options: [],
      run: async (_line, { administration, showProgress }) =>
        administration.rebuild((done) => showProgress(`rebuilt ${done} of 256 buckets`)),
    },
  ],
  [
    'demo-key',
    {
      usage: 'demo-key',
      summary: 'Prints the key of the demonstration account, the same one while it is valid.',
      operands: 0,
      options: [],
      run: async (_line, { administration, localDir }) => ({
        api_key: await demoKey(administration, localDir),
      }),
    },
  ],
]);

async function createAccount(line: CommandLine, { administration }: CommandContext) {
  const email = line.option('email')?.trim().toLowerCase();
  const name = line.option('name');
  const plan = readPlan(line.option('plan') ?? 'free');
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new UsageError(`'${email}' is not an e-mail address.`);
  }
  const accountId = await administration.accounts.create({
    plan,
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
  });
  return { account_id: accountId, plan };
}

async function setPlan(line: CommandLine, { administration }: CommandContext) {
  const plan = readPlan(line.operand(1, 'plan'));
  const { id } = await findAccount(line, administration);
  await administration.accounts.setPlan(id, plan);
  return { account_id: id, plan };
}

async function issueKey(line: CommandLine, { administration }: CommandContext) {
  const { id } = await findAccount(line, administration);
  const scopes = line.option('scopes');
  const days = line.option('expires-in-days');
  const issued = await administration.accounts.issueKey({
    accountId: id,
    origin: 'operator',
    label: line.option('label'),
    scopes: scopes === undefined ? undefined : readScopes(scopes),
    expiresInSeconds: days === undefined ? undefined : readDays(days),
  });
  return {
    api_key: issued.apiKey,
    key_id: issued.keyId,
    account_id: id,
    expires_at: issued.expiresAt,
  };
}

async function revokeKey(line: CommandLine, { administration, readInput }: CommandContext) {
  const word = line.operand(0, 'key id');
  const keyId = word === '-' ? await keyIdOf(await readInput(), administration) : word;
  if (!isUuid(keyId)) throw new UsageError(`'${keyId}' is not a key id; see account show.`);
  await administration.accounts.revokeKey(keyId);
  return { key_id: keyId, revoked: true };
}

async function keyIdOf(input: string, { history }: Administration): Promise<string> {
  const apiKey = parseApiKey(input.trim());
  if (apiKey === undefined) throw new UsageError('Standard input holds no well-formed key.');
  const key = await history.findKey({ digest: digestOf(apiKey) });
  if (key === null) throw new UsageError('No account has that key.');
  return key.id;
}

async function findAccount(line: CommandLine, { history }: Administration): Promise<AccountRecord> {
  const word = line.operand(0, 'account');
  const account = await history.findAccount(
    isUuid(word) ? { id: word.toLowerCase() } : { email: word.trim().toLowerCase() },
  );
  if (account === null) throw new UsageError(`There is no account '${word}'.`);
  return account;
}

function describe({ id, email, name, plan, createdAt, keys }: AccountRecord): object {
  return {
    account_id: id,
    email,
    name,
    plan,
    created_at: createdAt,
    keys: keys.map((key) => ({
      key_id: key.id,
      hint: key.hint,
      label: key.label,
      origin: key.origin,
      scopes: key.isNarrowed ? key.scopes : null,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
    })),
  };
}

function isUuid(word: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word);
}
