import { randomBytes } from 'node:crypto';
import {
  type CommandLine,
  readEmail,
  readPassword,
  readPlan,
  readUserName,
  readWhole,
  UsageError,
} from './arguments.ts';
import { type Command, type CommandContext, findAccount, isUuid } from './command.ts';

const LISTED_MAX = 1_000;
const LISTED_DEFAULT = 100;
/** 18 random bytes are 144 bits, in 24 characters that no shell minds. */
const GENERATED_BYTES = 18;

/** Commands on whole accounts, by name. */
export const ACCOUNT_COMMANDS: readonly (readonly [string, Command])[] = [
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
    'account list',
    {
      usage: 'account list [--plan PLAN] [--limit N] [--after ACCOUNT_ID]',
      summary: 'Lists accounts in order of their id, 100 unless told otherwise.',
      operands: 0,
      options: ['plan', 'limit', 'after'],
      run: listAccounts,
    },
  ],
  [
    'account show',
    {
      usage: 'account show ACCOUNT',
      summary: 'Shows an account, by id or address: balance, purchases, usage of a year, keys.',
      operands: 1,
      options: [],
      run: async (line, { administration }) =>
        administration.report(await findAccount(line, administration)),
    },
  ],
  [
    'account password',
    {
      usage: 'account password ACCOUNT [--user-name NAME] [--generate]',
      summary:
        'Gives it a user name and password for the older token exchange, in place of any it has.\n' +
        'The password is read from standard input, or generated and shown, once.',
      operands: 1,
      options: ['user-name'],
      flags: ['generate'],
      run: setPassword,
    },
  ],
  [
    'account remove-password',
    {
      usage: 'account remove-password ACCOUNT',
      summary: 'Takes user name and password away; tokens made from them die with them.',
      operands: 1,
      options: [],
      run: async (line, { administration }) => {
        const { id } = await findAccount(line, administration);
        return { account_id: id, removed: await administration.logins.remove(id) };
      },
    },
  ],
  [
    'account revoke',
    {
      usage: 'account revoke ACCOUNT',
      summary: 'Revokes all its keys and takes its password away; plan and credits stay.',
      operands: 1,
      options: [],
      run: async (line, { administration }) => {
        const { id } = await findAccount(line, administration);
        return { account_id: id, revoked_keys: await administration.revokeAccount(id) };
      },
    },
  ],
];

async function createAccount(line: CommandLine, { administration }: CommandContext) {
  const word = line.option('email');
  const email = word === undefined ? undefined : readEmail(word);
  const name = line.option('name');
  const plan = readPlan(line.option('plan') ?? 'free');
  const accountId = await administration.accounts.create({
    plan,
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
  });
  return { account_id: accountId, plan };
}

async function listAccounts(line: CommandLine, { administration }: CommandContext) {
  const plan = line.option('plan');
  const after = line.option('after')?.toLowerCase();
  if (after !== undefined && !isUuid(after)) throw new UsageError('--after takes an account id.');
  const asked = line.option('limit') ?? String(LISTED_DEFAULT);
  const limit = readWhole(asked, 'limit', 1, LISTED_MAX);
  const accounts = await administration.history.listAccounts({
    limit,
    after,
    plan: plan === undefined ? undefined : readPlan(plan),
  });
  return {
    accounts: accounts.map(({ id, email, name, plan: on, purchasedCredits, createdAt }) => ({
      account_id: id,
      email,
      name,
      plan: on,
      purchased_credits: Number(purchasedCredits),
      created_at: createdAt,
    })),
  };
}

async function setPassword(line: CommandLine, { administration, readInput }: CommandContext) {
  const { id, login } = await findAccount(line, administration);
  const word = line.option('user-name') ?? login?.userName;
  if (word === undefined) throw new UsageError('It has no user name yet; give one, --user-name.');
  const userName = readUserName(word);
  const isGenerated = line.flag('generate');
  const password = isGenerated
    ? randomBytes(GENERATED_BYTES).toString('base64url')
    : readPassword(await readInput());
  await administration.logins.set(id, userName, password);
  const done = { account_id: id, user_name: userName, replaced: login !== null };
  return isGenerated ? { ...done, password } : done;
}
