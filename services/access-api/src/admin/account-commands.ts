import { randomBytes } from 'node:crypto';
import { reportAccount } from './account-report.ts';
import {
  readEmail,
  readPassword,
  readPlan,
  readUserName,
  readUuid,
  UsageError,
  wholeNumber,
} from './arguments.ts';
import { type AddCommands, type CommandContext, findAccount } from './command.ts';
import { shownCharge } from './credit-commands.ts';
import { revokeAccount } from './revoke-account.ts';

/** 18 random bytes are 144 bits, in 24 characters that need no quoting in a shell. */
const GENERATED_BYTES = 18;

/** Commands on whole accounts. */
export const addAccountCommands: AddCommands = (program, perform) => {
  const group = program
    .command('account')
    .description(
      'Manage accounts: create, list, show, charges, password, remove-password, revoke.',
    );
  group
    .command('create')
    .description('Create an account.')
    .option('--email <address>', 'email address', readEmail)
    .option('--name <name>', 'name')
    .option('--plan <plan>', 'plan', readPlan, 'free' as const)
    .action(({ plan, ...known }) =>
      perform(async ({ accounts }) => ({
        account_id: await accounts.create({ plan, ...known }),
        plan,
      })),
    );
  group
    .command('list')
    .description('List accounts in order of id.')
    .option('--plan <plan>', 'only accounts on this plan', readPlan)
    .option('--limit <n>', 'at most this many', wholeNumber(1, 1_000), 100)
    .option('--after <account-id>', 'start after this id', readUuid)
    .action(({ limit, after, plan }) =>
      perform(async ({ history }) => {
        const accounts = await history.listAccounts({ limit, after, plan });
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
      }),
    );
  group
    .command('show')
    .description('Show an account: balance, purchases, usage of a year, keys.')
    .argument('<account>', 'id or email address')
    .action((account) =>
      perform(async (context) => reportAccount(context, await findAccount(account, context))),
    );
  group
    .command('charges')
    .description('List the latest charges of an account with their request ids.')
    .argument('<account>', 'id or email address')
    .option('--limit <n>', 'at most this many', wholeNumber(1, 500), 50)
    .action((account, { limit }) =>
      perform(async (context) => {
        const { id } = await findAccount(account, context);
        const charges = await context.charges.charges(id, { limit });
        return { account_id: id, charges: charges.map(shownCharge) };
      }),
    );
  group
    .command('password')
    .description(
      'Set user name and password for the older token exchange. The password is read from ' +
        'standard input, or generated and shown once.',
    )
    .argument('<account>', 'id or email address')
    .option('--user-name <name>', 'user name; required the first time', readUserName)
    .option('--generate', 'generate the password')
    .action((account, options) =>
      perform(async (context) => setPassword(account, options, context)),
    );
  group
    .command('remove-password')
    .description('Remove user name and password, and revoke the tokens issued for them.')
    .argument('<account>', 'id or email address')
    .action((account) =>
      perform(async (context) => {
        const { id } = await findAccount(account, context);
        return { account_id: id, removed: await context.logins.remove(id) };
      }),
    );
  group
    .command('revoke')
    .description('Revoke all keys of an account and remove its password; plan and credits stay.')
    .argument('<account>', 'id or email address')
    .action((account) =>
      perform(async (context) => {
        const { id } = await findAccount(account, context);
        return { account_id: id, revoked_keys: await revokeAccount(context, id) };
      }),
    );
};

async function setPassword(
  account: string,
  options: { readonly userName?: string; readonly generate?: true },
  context: CommandContext,
): Promise<object> {
  const { id, login } = await findAccount(account, context);
  const userName = options.userName ?? login?.userName;
  if (userName === undefined) {
    throw new UsageError('The account has no user name yet; add --user-name.');
  }
  const generated = options.generate && randomBytes(GENERATED_BYTES).toString('base64url');
  await context.logins.set(id, userName, generated ?? readPassword(await context.readInput()));
  const done = { account_id: id, user_name: userName, replaced: login !== null };
  return generated === undefined ? done : { ...done, password: generated };
}
