// Tests docs/spec/authentication.md 2.4.
// Tests docs/spec/credits.md 10.4, 10.7, 10.14.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, eventually, type IssuedAccount } from '@vcds/test-kit';
import { keyOf, observe } from './support/observe.ts';
import { type Caller, type Metered, openStack, sumOf } from './support/stack.ts';

const stack = await closedAfterAll(openStack());

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
  /** Credits by the headers of the received responses. */
  readonly charged: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly abandoned: number;
}

/** Clients that call all paths in turn; a ninth of them disconnect before each response. */
async function runClients(
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
      const disconnects = number % 9 === 8;
      try {
        const path = PATHS[(number + calls) % PATHS.length] ?? '';
        const answer = await api?.get(
          apiKey,
          path,
          disconnects ? { signal: AbortSignal.timeout(4) } : {},
        );
        charged += answer?.charged ?? 0;
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
      } catch (error) {
        if (!disconnects) throw error;
        abandoned += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return { charged, statuses, abandoned };
}

/**
 * The charges of an account and its balance, once they agree: abandoned calls may still be running.
 * `period`: the month of the balance.
 */
async function settledCharges(
  api: Caller | undefined,
  { accountId, keys }: IssuedAccount,
  period: number,
) {
  return eventually(async () => {
    const charges = await stack.charges(accountId);
    const used = sumOf(charges.filter((charge) => charge.period === period));
    const { remaining, reset } = (await api?.get(keys[0]?.apiKey, '/pricing')) ?? {};
    return remaining === ALLOWANCE - used && { charges, used, reset };
  });
}

const periodOf = (ms: number): number => {
  const date = new Date(ms);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
};

test('20 keys of one account on two data-apis use at most the allowance, as in the ledger', async () => {
  const apis = [await stack.dataApi(), await stack.dataApi()];
  const [account] = await stack.issue({
    plan: 'free',
    keys: Array.from({ length: 20 }, () => ({})),
  });
  const { charged, statuses, abandoned } = await runClients(apis, account, (calls) => calls < 12);
  // A machine under load rejects calls with 503; they are free.
  expect(new Set([...statuses.keys(), 503])).toEqual(new Set([200, 400, 429, 503]));
  expect(abandoned).toBeGreaterThan(0);
  const { charges, used } = await settledCharges(apis[0], account, periodOf(Date.now()));
  expect(used).toBeLessThanOrEqual(ALLOWANCE);
  // The ledger has the charges of abandoned calls, too.
  expect(used).toBeGreaterThanOrEqual(charged);
  expect(new Set(charges.map(({ key_id }) => key_id)).size).toBe(20);
  // The other data-api has the same balance.
  await settledCharges(apis[1], account, periodOf(Date.now()));
});

test('at the end of a month under load, every charge is in one month and the balance is reset once', async () => {
  // Redis' own clock, set to just before the month after next.
  const now = new Date();
  const boundaryMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
  let offsetMs = boundaryMs - Date.now() - 60_000;
  const ledger = { clockOffsetMs: () => offsetMs };
  const apis = [await stack.dataApi({ ledger }), await stack.dataApi({ ledger })];
  const [account] = await stack.issue({ plan: 'free', keys: [{}, {}, {}] });
  const [before, after] = [periodOf(boundaryMs - 1), periodOf(boundaryMs)];
  let isNextMonth = false;
  const { charged } = await runClients(apis, account, (calls, credits) => {
    if (credits > 150 && !isNextMonth) {
      isNextMonth = true;
      offsetMs += 61_000;
    }
    return calls < 8;
  });
  const { charges, reset } = await settledCharges(apis[0], account, after);
  expect(reset).toBe(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 3, 1) / 1000);
  const usedIn = (month: number) => sumOf(charges.filter(({ period }) => period === month));
  expect(new Set(charges.map(({ period }) => period))).toEqual(new Set([before, after]));
  expect(usedIn(before)).toBeLessThanOrEqual(ALLOWANCE);
  expect(usedIn(after)).toBeLessThanOrEqual(ALLOWANCE);
  expect(sumOf(charges)).toBeGreaterThanOrEqual(charged);
});

const api = await stack.dataApi();

describe('a client that disconnects', () => {
  const { whileReadsWait, untilOneReads, untilNoneReads, ...observed } = observe(stack, api);
  const { remainingOf, untilRemaining } = observed;
  /** Calls for 20 records, and leaves while they are read. */
  const leave = async (account: IssuedAccount, remaining: number) => {
    const client = new AbortController();
    const gone = api.get(keyOf(account), '/startups?$top=20', { signal: client.signal });
    const rejected = expect(gone).rejects.toThrow('aborted');
    await untilOneReads();
    expect(await remainingOf(account)).toBe(remaining);
    client.abort();
    await rejected;
    await untilNoneReads();
  };

  test('before its page was read pays nothing, and its statement ends', async () => {
    const [account] = await stack.issue({ plan: 'free', keys: [{}] });
    await whileReadsWait(async () => {
      await leave(account, 480);
      await untilRemaining(account, 500);
      // From now on its balance is known, so that its calls hold nothing.
      await leave(account, 500);
    });
    const { charged } = await api.get(keyOf(account), '/startups?$top=20');
    expect([charged, sumOf(await stack.charges(account.accountId))]).toEqual([20, 20]);
  });
});

const [paid] = await stack.issue({ plan: 'scale', keys: [{}, {}, {}] });

describe('calls with an Idempotency-Key', () => {
  const errorOf = ({ body }: Metered) => (body as { error: Record<string, unknown> }).error;
  const repeatedOf = ({ headers }: Metered) => headers.get('idempotent-replayed');
  const send = (path: string, key: string, number = 0) =>
    api.get(keyOf(paid, number), path, { headers: { 'Idempotency-Key': key } });

  test('are charged once, at the same time or later, with any key of the account', async () => {
    const path = '/startups?$top=10&$select=Name';
    const before = sumOf(await stack.charges(paid.accountId));
    const all = await Promise.all([0, 1, 2, 0, 1, 2].map((number) => send(path, 'once', number)));
    all.push(await send('/startups?$select=Name&$top=10', 'once'));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(all.map(({ charged }) => charged).sort()).toEqual([0, 0, 0, 0, 0, 0, 10]);
    expect(all.filter((each) => repeatedOf(each) === 'true')).toHaveLength(6);
    for (const { body } of all) expect(body).toEqual(all[0]?.body);
    expect(sumOf(await stack.charges(paid.accountId)) - before).toBe(10);
  });

  test('belong to one path and its parameters; errors have not used a key', async () => {
    expect((await send('/startups?$top=nine', 'twice')).status).toBe(400);
    expect(await send('/startups?$top=2', 'twice')).toMatchObject({ status: 200, charged: 2 });
    for (const path of ['/startups?$top=3', '/funds?$top=2', '/startups?$top=2&$format=csv']) {
      const other = await send(path, 'twice');
      expect(other).toMatchObject({ status: 422, charged: 0 });
      expect(errorOf(other)).toMatchObject({ code: 'idempotency_mismatch' });
    }
    expect(await send('/pricing', 'twice')).toMatchObject({ status: 200, charged: 0 });
  });

  test.each(['k'.repeat(256), 'a b', ''])('%j is no key: 400, free', async (key) => {
    const reply = await send('/startups?$top=2', key);
    expect(reply).toMatchObject({ status: 400, charged: 0 });
    expect(errorOf(reply)).toMatchObject({ parameter: 'Idempotency-Key' });
  });
});
