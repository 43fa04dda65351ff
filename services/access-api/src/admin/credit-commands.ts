import { isRequestId } from '@vcds/metering';
import { InvalidArgumentError } from 'commander';
import { JournalError } from '../accounts/journal.ts';
import { grantCredits, PURCHASED_MAX } from '../accounts/purchase.ts';
import type { AccountCharge, ChargeRecord } from '../credits/usage-history.ts';
import { readOperationId, readPlan, wholeNumber } from './arguments.ts';
import { type AddCommands, findAccount } from './command.ts';

/** Commands on plans, purchased credits and charges. */
export const addCreditCommands: AddCommands = (program, perform) => {
  program
    .command('plan')
    .description('Set the plan of an account: free, starter, growth or scale.')
    .argument('<account>', 'id or email address')
    .argument('<plan>', 'plan', readPlan)
    .action((account, plan) =>
      perform(async (context) => {
        const { id } = await findAccount(account, context);
        await context.accounts.setPlan(id, plan);
        return { account_id: id, plan };
      }),
    );
  program
    .command('grant')
    .description(
      'Add purchased credits, which are spent after the monthly allowance and never expire.',
    )
    .argument('<account>', 'id or email address')
    .argument('<credits>', 'how many credits', wholeNumber(1, PURCHASED_MAX))
    .requiredOption(
      '--operation <id>',
      'id of the purchase, such as an invoice number; the same id never counts twice',
      readOperationId,
    )
    .option('--note <text>', 'note')
    .action((account, credits, { operation, note }) =>
      perform(async (context) => {
        const { id } = await findAccount(account, context);
        const purchase = { operationId: operation, accountId: id, credits, note };
        const { total, repeated } = await grantCredits(context, purchase);
        return {
          account_id: id,
          operation_id: operation,
          credits,
          repeated,
          purchased_credits: total,
        };
      }),
    );
  program
    .command('charge')
    .description(
      'Show what a call was charged: account, key, endpoint, credits, time. A charge appears a ' +
        'second or two after the call.',
    )
    .argument('<request-id>', 'X-Request-Id (trace_id) of the response', readRequestId)
    .action((requestId) =>
      perform(async (context) => {
        const found = await context.charges.ofRequest(requestId);
        if (found.length === 0) {
          throw new JournalError(
            `No charge has the request id '${requestId}'. Free calls and errors are not ` +
              'charged; charges appear a second or two after the call.',
          );
        }
        return {
          charges: found.map((each) => ({ account_id: each.accountId, ...shownCharge(each) })),
        };
      }),
    );
};

function readRequestId(text: string): string {
  if (isRequestId(text)) return text;
  throw new InvalidArgumentError('A request id is 8 to 64 letters, digits and "-".');
}

/** A charge as commands print it. */
export function shownCharge(charge: ChargeRecord | AccountCharge) {
  return {
    request_id: charge.requestId,
    key_id: charge.keyId,
    endpoint: charge.endpoint,
    charged: charge.charged,
    purchased: charge.purchased,
    charged_at: charge.chargedAt,
  };
}
