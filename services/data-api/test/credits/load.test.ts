import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { IssuedAccount } from '@vcds/test-kit';
import { type Caller, openStack, type Stack, sumOf } from './support/stack.ts';

jest.setTimeout(90_000);

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
}, 180_000);
afterAll(() => stack.close());

/** Credits a month of the plan of all accounts here. */
const ALLOWANCE = 500;
const CLIENTS = 40;
const PATHS = [
  '/startups?$top=3',
  '/startups?$top=7&$expand=Tags',
  '/news?$top=9',
  '/startups/search?q=agora',
  '/startups?$count=true',
  '/persons?$top=2',
  '/startups?$top=0',
];

interface Load {
  /** Credits by the headers of the answers that arrived. */
  readonly charged: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly abandoned: number;
}

/** Clients that call in turn what there is, a ninth of them hanging up on each answer. */
async function play(
  apis: readonly Caller[],
  { keys }: IssuedAccount,
  goesOn: (calls: number, charged: number) => boolean,
): Promise<Load> {
  const statuses = new Map<number, number>();
  let charged = 0;
  let abandoned = 0;
  const client = async (number: number): Promise<void> => {
    for (let calls = 0; goesOn(calls, charged); calls++) {
      const api = apis[number % apis.length];
      const { apiKey } = keys[(number + calls) % keys.length] ?? {};
      const hangsUp = number % 9 === 8;
      try {
        const path = PATHS[(number + calls) % PATHS.length] ?? '';
        const answer = await api?.get(apiKey, path, hangsUp ? AbortSignal.timeout(4) : undefined);
        charged += answer?.charged ?? 0;
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
      } catch (error) {
        if (!hangsUp) throw error;
        abandoned += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return { charged, statuses, abandoned };
}

/**
 * The charges of an account and its balance, once they agree: calls that were hung up on may still
 * be under way. `period`: the month whose charges the balance is of.
 */
async function atRest(api: Caller | undefined, { accountId, keys }: IssuedAccount, period: number) {
  for (;;) {
    const charges = await stack.charges(accountId);
    const used = sumOf(charges.filter((charge) => charge.period === period));
    const { remaining, reset } = (await api?.get(keys[0]?.apiKey, '/pricing')) ?? {};
    if (remaining === ALLOWANCE - used) return { charges, used, reset };
    await delay(20);
  }
}

const periodOf = (ms: number): number => {
  const date = new Date(ms);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
};

test('20 keys of one account, two data-apis: never more than the allowance, used = ledger', async () => {
  const apis = [await stack.dataApi(), await stack.dataApi()];
  const [account] = await stack.issue({
    plan: 'free',
    keys: Array.from({ length: 20 }, () => ({})),
  });
  const { charged, statuses, abandoned } = await play(apis, account, (calls) => calls < 12);
  expect([...statuses.keys()].sort()).toEqual([200, 400, 429]);
  expect(abandoned).toBeGreaterThan(0);
  const { charges, used } = await atRest(apis[0], account, periodOf(Date.now()));
  expect(used).toBeLessThanOrEqual(ALLOWANCE);
  // What the clients who hung up were charged for is in the ledger, though they were not told.
  expect(used).toBeGreaterThanOrEqual(charged);
  expect(new Set(charges.map(({ key_id }) => key_id)).size).toBe(20);
  // To the other data-api it is the same account.
  await atRest(apis[1], account, periodOf(Date.now()));
});

test('a month that ends under load: refilled once, every charge to one of the months', async () => {
  // Redis' own clock, set to just before the month after next.
  const now = new Date();
  const boundaryMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
  let offsetMs = boundaryMs - Date.now() - 60_000;
  const ledger = { clockOffsetMs: () => offsetMs };
  const apis = [await stack.dataApi({ ledger }), await stack.dataApi({ ledger })];
  const [account] = await stack.issue({ plan: 'free', keys: [{}, {}, {}] });
  const [before, after] = [periodOf(boundaryMs - 1), periodOf(boundaryMs)];
  let isOver = false;
  const { charged } = await play(apis, account, (calls, credits) => {
    // In the thick of it.
    if (credits > 150 && !isOver) {
      isOver = true;
      offsetMs += 61_000;
    }
    return calls < 8;
  });
  const { charges, reset } = await atRest(apis[0], account, after);
  expect(reset).toBe(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 1) / 1000);
  const usedIn = (month: number) => sumOf(charges.filter(({ period }) => period === month));
  expect(new Set(charges.map(({ period }) => period))).toEqual(new Set([before, after]));
  expect(usedIn(before)).toBeLessThanOrEqual(ALLOWANCE);
  expect(usedIn(after)).toBeLessThanOrEqual(ALLOWANCE);
  expect(sumOf(charges)).toBeGreaterThanOrEqual(charged);
});
