import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { CREDIT_LIMIT_MAX, digestOf, parseApiKey } from '@vcds/credentials';
import { isUuid, readScopes, readUuid, UsageError, wholeNumber } from './arguments.ts';
import { type AddCommands, type CommandContext, findAccount, type Perform } from './command.ts';
import { demoKey } from './demo-key.ts';

const DAYS_MAX = 3_650;
const DAY_SECONDS = 86_400;
const creditLimit = wholeNumber(1, CREDIT_LIMIT_MAX);

/** Commands on keys, and the repair of Redis. */
export const addKeyCommands: AddCommands = (program, perform) => {
  const group = program.command('key').description('Manage keys: issue, limit, revoke.');
  group
    .command('issue')
    .description('Issue a key and show it once.')
    .argument('<account>', 'id or email address')
    .option('--label <text>', 'label')
    .option('--scopes <list>', 'restrict the key to these comma separated scopes', readScopes)
    .option('--expires-in-days <n>', 'days until it expires', wholeNumber(1, DAYS_MAX))
    .option('--monthly-limit <credits>', 'credits that it may use a month', creditLimit)
    .action((account, { label, scopes, expiresInDays: days, monthlyLimit }) =>
      perform(async (context) => {
        const { id } = await findAccount(account, context);
        const issued = await context.accounts.issueKey({
          accountId: id,
          origin: 'operator',
          label,
          scopes,
          expiresInSeconds: days === undefined ? undefined : days * DAY_SECONDS,
          creditLimit: monthlyLimit,
        });
        return {
          api_key: issued.apiKey,
          key_id: issued.keyId,
          account_id: id,
          expires_at: issued.expiresAt,
          monthly_limit: monthlyLimit ?? null,
        };
      }),
    );
  group
    .command('limit')
    .description('Set or remove the credits that a key may use a month.')
    .argument('<key-id>', 'id of the key', readUuid)
    .argument('<credits>', 'credits a month, or none', (text: string) =>
      text === 'none' ? null : creditLimit(text),
    )
    .action((keyId, credits) =>
      perform(async ({ accounts }) => {
        await accounts.limitKey(keyId, credits);
        return { key_id: keyId, monthly_limit: credits };
      }),
    );
  addRevoke(group, perform);
  addRevoke(program, perform);
  program
    .command('rebuild')
    .description('Restore Redis from journal and ledger: accounts, keys, credits.')
    .action(() =>
      perform(({ rebuild, showProgress }) =>
        rebuild((done) => showProgress(`rebuilt ${done} of 256 buckets`)),
      ),
    );
  program
    .command('drain')
    .description('Move the charges in Redis to PostgreSQL; npm run backup does it first.')
    .option('--optional', 'exit with 0 although Redis or PostgreSQL is unavailable')
    .action(({ optional }) =>
      perform(
        async ({ drain }) => {
          const { committed, healed } = await drain();
          return { drained_charges: committed, healed_buckets: healed.length };
        },
        { optional: optional === true },
      ),
    );
  program
    .command('empty-redis')
    .description(
      'Delete all data of Redis, of a Cluster that of each primary, after a restore of PostgreSQL: ' +
        'access-api and the mail worker fill it again.',
    )
    .requiredOption('--yes', 'confirm: charges that are not drained are lost')
    .action(() =>
      perform(async (context) => {
        await context.emptyRedis();
        return { emptied: true };
      }),
    );
  program
    .command('demo-key')
    .description('Print the key of the demonstration account; issue one when there is none.')
    .action(() =>
      perform(async (context) => ({ api_key: await demoKey(context, context.localDir) })),
    );
};

function addRevoke(parent: CommandUnknownOpts, perform: Perform): void {
  parent
    .command('revoke')
    .description('Revoke a key.')
    .argument('<key-id>', 'id of the key; - reads the key itself from standard input')
    .action((text) =>
      perform(async (context) => {
        const keyId = text === '-' ? await keyIdOnInput(context) : text.toLowerCase();
        if (!isUuid(keyId)) {
          throw new UsageError(`'${text}' is not a key id; see account show, or account revoke.`);
        }
        await context.accounts.revokeKey(keyId);
        return { key_id: keyId, revoked: true };
      }),
    );
}

async function keyIdOnInput({ history, readInput }: CommandContext): Promise<string> {
  const apiKey = parseApiKey((await readInput()).trim());
  if (apiKey === undefined) throw new UsageError('Standard input contains no well-formed key.');
  const key = await history.findKey({ digest: digestOf(apiKey) });
  if (key === null) throw new UsageError('No account has that key.');
  return key.id;
}
