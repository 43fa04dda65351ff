import { isRequestId } from '@vcds/metering';
import type { AccountCharge, ChargeRecord } from '../credits/usage-history.ts';
import { JournalRefusal } from '../store/journal.ts';
import { type CommandLine, readWhole, UsageError } from './arguments.ts';
import { type Command, type CommandContext, findAccount } from './command.ts';

const LISTED_MAX = 500;
const LISTED_DEFAULT = 50;

/** Commands that explain what was charged, by name. */
export const CHARGE_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'charge',
    {
      usage: 'charge REQUEST_ID',
      summary:
        'Finds what a call was charged, by the X-Request-Id (trace_id) of its answer: account, key,\n' +
        'endpoint, credits, time. Appears a second or two after the call.',
      operands: 1,
      options: [],
      run: findCharge,
    },
  ],
  [
    'account charges',
    {
      usage: 'account charges ACCOUNT [--limit N]',
      summary:
        'Lists the latest charges of an account with their request ids, 50 unless told otherwise.',
      operands: 1,
      options: ['limit'],
      run: listCharges,
    },
  ],
];

async function findCharge(line: CommandLine, { administration }: CommandContext) {
  const requestId = line.operand(0, 'request id');
  if (!isRequestId(requestId)) {
    throw new UsageError('A request id is 8 to 64 letters, digits and "-".');
  }
  const found = await administration.chargesOf(requestId);
  if (found.length === 0) {
    throw new JournalRefusal(
      `No charge has the request id '${requestId}'. Free calls and errors are not charged; charges ` +
        'appear a second or two after the call.',
    );
  }
  return { charges: found.map((each) => ({ account_id: each.accountId, ...shown(each) })) };
}

async function listCharges(line: CommandLine, { administration }: CommandContext) {
  const limit = readWhole(line.option('limit') ?? String(LISTED_DEFAULT), 'limit', 1, LISTED_MAX);
  const { id } = await findAccount(line, administration);
  const charges = await administration.latestCharges(id, limit);
  return { account_id: id, charges: charges.map(shown) };
}

function shown(charge: ChargeRecord | AccountCharge) {
  return {
    request_id: charge.requestId,
    key_id: charge.keyId,
    endpoint: charge.endpoint,
    charged: charge.charged,
    purchased: charge.purchased,
    charged_at: charge.chargedAt,
  };
}
