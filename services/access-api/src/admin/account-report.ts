import { type Ledger, PLANS } from '@vcds/metering';
import type { Clock } from '@vcds/service-kit';
import type { Database } from '../accounts/database.ts';
import type { AccountRecord } from '../accounts/history.ts';
import { planOf } from '../accounts/state.ts';
import type { MonthLine, UsageHistory } from '../credits/usage-history.ts';
import { monthParameter } from '../pages/format.ts';

const MONTHS_SHOWN = 12;

export interface AccountReportOptions {
  readonly database: Database;
  readonly ledger: Pick<Ledger, 'balance'>;
  readonly charges: Pick<UsageHistory, 'months'>;
  readonly clock: Clock;
}

/** All that an operator may see of an account, without credentials. */
export async function reportAccount(
  { database, ledger, charges, clock }: AccountReportOptions,
  account: AccountRecord,
): Promise<object> {
  const { id, email, name, plan, createdAt, login } = account;
  const [credits, purchases, lines] = await Promise.all([
    creditsOf(account, ledger),
    database.purchase.findMany({ where: { accountId: id }, orderBy: { recordedAt: 'asc' } }),
    charges.months(id, firstMonth(clock)),
  ]);
  const newest = lines[0]?.period;
  return {
    account_id: id,
    email,
    name,
    plan,
    created_at: createdAt,
    user_name: login?.userName ?? null,
    password_set_at: login?.setAt ?? null,
    credits,
    purchases: purchases.map((each) => ({
      operation_id: each.operationId,
      credits: Number(each.credits),
      note: each.note,
      recorded_at: each.recordedAt,
    })),
    usage_by_month: sumsBy(lines, ({ period }) => ({ month: monthParameter(period) })),
    usage_by_endpoint: sumsBy(
      lines.filter(({ period }) => period === newest),
      ({ period, endpoint }) => ({ month: monthParameter(period), endpoint }),
    ),
    keys: keysOf(account),
  };
}

// Null while the ledger is unavailable; the rest of the report is still shown.
async function creditsOf(account: AccountRecord, ledger: Pick<Ledger, 'balance'>) {
  const { creditsPerMonth } = PLANS[planOf(account)];
  const answer = await ledger.balance(account.id, creditsPerMonth);
  if (answer.status === 'unavailable') return null;
  const { limit, remaining, used, held, purchased, resetAt } = answer.balance;
  return { limit, remaining, used, held, purchased_left: purchased, reset: resetAt };
}

function sumsBy<Group extends object>(
  lines: readonly MonthLine[],
  groupOf: (line: MonthLine) => Group,
) {
  const sums = new Map<string, Group & { calls: number; charged: number; purchased: number }>();
  for (const line of lines) {
    const group = groupOf(line);
    const name = JSON.stringify(group);
    const sum = sums.get(name) ?? { ...group, calls: 0, charged: 0, purchased: 0 };
    sum.calls += line.calls;
    sum.charged += line.charged;
    sum.purchased += line.purchased;
    sums.set(name, sum);
  }
  return [...sums.values()];
}

// The key behind a password is internal: its text is never issued.
function keysOf({ keys }: AccountRecord): object[] {
  return keys
    .filter(({ origin }) => origin !== 'login')
    .map((key) => ({
      key_id: key.id,
      hint: key.hint,
      label: key.label,
      origin: key.origin,
      scopes: key.isNarrowed ? key.scopes : null,
      monthly_limit: key.creditLimit,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
    }));
}

function firstMonth(clock: Clock): number {
  const now = new Date(clock.wallMs());
  const months = now.getUTCFullYear() * 12 + now.getUTCMonth() - (MONTHS_SHOWN - 1);
  return Math.floor(months / 12) * 100 + (months % 12) + 1;
}
