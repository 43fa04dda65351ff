import { bucketOfAccount } from '@vcds/credentials';
import type { Period } from '@vcds/metering';
import type { Database } from '../accounts/database.ts';

/** A sum of charges. */
export interface Sum {
  readonly calls: number;
  /** Credits charged, and how many of them were purchased ones. */
  readonly charged: number;
  readonly purchased: number;
}

export type MonthSum = Sum & { readonly period: Period };
export type EndpointSum = Sum & { readonly endpoint: string };
/** Credits charged for calls of one endpoint on one day of a month (1 to 31, UTC). */
export interface DaySum {
  readonly day: number;
  readonly endpoint: string;
  readonly charged: number;
}
export type KeySum = Sum & { readonly keyId: string };

/** When a key was last charged: the time if recent, else the month. */
export type LastCharged = { readonly at: Date } | { readonly period: Period };

/** A page of a list. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

export type UsageSums = ReturnType<typeof createUsageSums>;

/** Bounds the cost of the account page for accounts with many charges. */
const RECENT_CHARGES = 5_000;
const SUMS = { calls: true, charged: true, purchased: true } as const;

/** Sums of an account's charges, from the sums in the ledger. */
export function createUsageSums(database: Database) {
  const ofAccount = (accountId: string) => ({ bucket: bucketOfAccount(accountId), accountId });
  return {
    /** Newest month first; those before a month, or all. */
    months: async (
      accountId: string,
      take: number,
      before?: Period,
    ): Promise<readonly MonthSum[]> => {
      const groups = await database.chargeTotal.groupBy({
        by: ['period'],
        where: {
          ...ofAccount(accountId),
          ...(before === undefined ? {} : { period: { lt: before } }),
        },
        _sum: SUMS,
        orderBy: { period: 'desc' },
        take,
      });
      return groups.map(({ period, _sum }) => ({ period, ...numbers(_sum) }));
    },
    /** Of one month, most expensive first. */
    endpoints: async (accountId: string, period: Period): Promise<readonly EndpointSum[]> => {
      const groups = await database.chargeTotal.groupBy({
        by: ['endpoint'],
        where: { ...ofAccount(accountId), period },
        _sum: SUMS,
        orderBy: [{ _sum: { charged: 'desc' } }, { endpoint: 'asc' }],
      });
      return groups.map(({ endpoint, _sum }) => ({ endpoint, ...numbers(_sum) }));
    },
    /** Of one month, by day, then endpoint. */
    days: async (accountId: string, period: Period): Promise<readonly DaySum[]> => {
      const days = await database.chargeDay.findMany({
        where: { accountId, period },
        orderBy: [{ day: 'asc' }, { endpoint: 'asc' }],
      });
      return days.map(({ day, endpoint, charged }) => ({
        day,
        endpoint,
        charged: Number(charged),
      }));
    },
    /** Of one month, most expensive first. */
    keys: async (accountId: string, period: Period, page: Page): Promise<readonly KeySum[]> => {
      const groups = await database.chargeTotal.groupBy({
        by: ['keyId'],
        where: { ...ofAccount(accountId), period },
        _sum: SUMS,
        orderBy: [{ _sum: { charged: 'desc' } }, { keyId: 'asc' }],
        ...page,
      });
      return groups.map(({ keyId, _sum }) => ({ keyId, ...numbers(_sum) }));
    },
    /** For every key with a charge: from the latest 5,000 charges, else from the months. */
    lastCharged: async (accountId: string): Promise<ReadonlyMap<string, LastCharged>> => {
      const [months, recent] = await Promise.all([
        database.chargeTotal.groupBy({
          by: ['keyId'],
          where: ofAccount(accountId),
          _max: { period: true },
        }),
        recentlyCharged(database, accountId),
      ]);
      const last = new Map<string, LastCharged>();
      for (const { keyId, _max } of months) last.set(keyId, { period: _max.period ?? 0 });
      for (const { keyId, at } of recent) last.set(keyId, { at });
      return last;
    },
  };
}

function recentlyCharged(database: Database, accountId: string) {
  return database.$queryRaw<{ keyId: string; at: Date }[]>`
    SELECT key_id AS "keyId", max(charged_at) AS at
    FROM (
      SELECT key_id, charged_at FROM access.charge
      WHERE account_id = ${accountId}::uuid
      ORDER BY charged_at DESC
      LIMIT ${RECENT_CHARGES}
    ) AS recent
    GROUP BY key_id`;
}

type BigSums = Readonly<Record<keyof Sum, bigint | null>>;

export function numbers({ calls, charged, purchased }: BigSums): Sum {
  return { calls: Number(calls), charged: Number(charged), purchased: Number(purchased) };
}
