import { digestOf, parseApiKey } from '@vcds/credentials';
import { PURCHASED_MAX } from '../credits/purchases.ts';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import {
  type CommandLine,
  readDays,
  readPlan,
  readScopes,
  readWhole,
  UsageError,
} from './arguments.ts';
import { CHARGE_COMMANDS } from './charge-commands.ts';
import { type Command, type CommandContext, findAccount, isUuid } from './command.ts';
import { demoKey } from './demo-key.ts';
import type { Administration } from './open.ts';

const REVOKE: Command = {
  usage: 'key revoke KEY_ID | key revoke -',
  summary: 'Revokes a key, by id, or the key itself read from standard input. Short: revoke.',
  operands: 1,
  options: [],
  run: revokeKey,
};

/** The operator's commands, by name; `revoke` is short for `key revoke`. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ...ACCOUNT_COMMANDS,
  ...CHARGE_COMMANDS,
  [
    'plan',
    {
      usage: 'plan ACCOUNT PLAN',
      summary: 'Puts an account on a plan, at once: free, starter, growth or scale.',
      operands: 2,
      options: [],
      run: setPlan,
    },
  ],
  [
    'grant',
    {
      usage: 'grant ACCOUNT CREDITS --operation ID [--note TEXT]',
      summary:
        'Adds purchased credits: spent after the monthly allowance, never lapsing. ID names the\n' +
        'purchase (an invoice number, a UUID): given again, it is not counted again.',
      operands: 2,
      options: ['operation', 'note'],
      run: grant,
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
      summary: 'Makes Redis hold what journal and ledger hold: accounts, keys, credits.',
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

async function setPlan(line: CommandLine, { administration }: CommandContext) {
  const plan = readPlan(line.operand(1, 'plan'));
  const { id } = await findAccount(line, administration);
  await administration.accounts.setPlan(id, plan);
  return { account_id: id, plan };
}

async function grant(line: CommandLine, { administration }: CommandContext) {
  const credits = readWhole(line.operand(1, 'number of credits'), 'credits', 1, PURCHASED_MAX);
  const operationId = line.option('operation') ?? '';
  if (!/^[!-~]{1,100}$/.test(operationId)) {
    throw new UsageError('Name the purchase: --operation ID, up to 100 visible ASCII characters.');
  }
  const { id: accountId } = await findAccount(line, administration);
  const wish = { operationId, accountId, credits, note: line.option('note') };
  const { total, repeated } = await administration.purchases.grant(wish);
  return {
    account_id: accountId,
    operation_id: operationId,
    credits,
    repeated,
    purchased_credits: total,
  };
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
  const keyId =
    word === '-' ? await keyIdOf(await readInput(), administration) : word.toLowerCase();
  if (!isUuid(keyId)) {
    throw new UsageError(`'${word}' is not a key id; see account show, or account revoke.`);
  }
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
