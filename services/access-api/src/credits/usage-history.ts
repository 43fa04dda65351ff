import { bucketOfAccount } from '@vcds/credentials';
import { isRequestId, type Period } from '@vcds/metering';
import type { Database } from '../accounts/database.ts';
import type { Charge } from '../generated/client.ts';
import { type EndpointSum, type KeySum, type MonthSum, numbers } from './usage-sums.ts';

/** A charge, for its account. */
export type ChargeRecord = Pick<Charge, keyof typeof SHOWN>;

/** The position of a charge in the list of its account; within a millisecond `seq` decides. */
export type Position = Pick<ChargeRecord, 'seq' | 'chargedAt'>;

/** A charge, for the operator. */
export type AccountCharge = ChargeRecord & Pick<Charge, 'accountId'>;

/** The charges of one endpoint with one key in a month. */
export type MonthLine = MonthSum & EndpointSum & KeySum;

export type UsageHistory = ReturnType<typeof createUsageHistory>;

const PAGE_MAX = 500;
const OF_REQUEST_MAX = 50;

const SHOWN = {
  op: true,
  keyId: true,
  endpoint: true,
  requestId: true,
  period: true,
  charged: true,
  purchased: true,
  seq: true,
  chargedAt: true,
} as const;

/**
 * Charges from the ledger in PostgreSQL. The last second or so is missing until the worker commits
 * it. Errors and free calls are not charges.
 */
export function createUsageHistory(database: Database) {
  return {
    /**
     * Charges of an account, newest first, at most `limit` (1 to 500); those after `after` if given.
     */
    charges: async (
      accountId: string,
      { limit, after }: { readonly limit: number; readonly after?: Position },
    ): Promise<readonly ChargeRecord[]> => {
      if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) {
        throw new RangeError(`limit must be a whole number from 1 to ${PAGE_MAX}, not ${limit}.`);
      }
      return database.charge.findMany({
        select: SHOWN,
        where: { accountId, ...(after === undefined ? {} : olderThan(after)) },
        orderBy: [{ chargedAt: 'desc' }, { seq: 'desc' }],
        take: limit,
      });
    },
    /**
     * Charges with a request id, of one account or of all, newest first, at most 50: usually one,
     * several if clients reused the id.
     */
    ofRequest: async (requestId: string, accountId?: string): Promise<readonly AccountCharge[]> => {
      if (!isRequestId(requestId)) return [];
      return database.charge.findMany({
        select: { ...SHOWN, accountId: true },
        where: { requestId, ...(accountId === undefined ? {} : { accountId }) },
        orderBy: [{ chargedAt: 'desc' }, { seq: 'desc' }],
        take: OF_REQUEST_MAX,
      });
    },
    /**
     * Sums by month, endpoint and key from a month on: newest month first, then most expensive first.
     */
    months: async (accountId: string, since: Period): Promise<readonly MonthLine[]> => {
      const lines = await database.chargeTotal.findMany({
        where: { bucket: bucketOfAccount(accountId), accountId, period: { gte: since } },
        orderBy: [{ period: 'desc' }, { charged: 'desc' }, { endpoint: 'asc' }, { keyId: 'asc' }],
      });
      return lines.map(({ period, endpoint, keyId, ...sums }) => ({
        ...{ period, endpoint, keyId },
        ...numbers(sums),
      }));
    },
  };
}

// The first condition is one the index on (account, time) can be entered by.
function olderThan({ seq, chargedAt }: Position) {
  return {
    chargedAt: { lte: chargedAt },
    OR: [{ chargedAt: { lt: chargedAt } }, { chargedAt, seq: { lt: seq } }],
  };
}
