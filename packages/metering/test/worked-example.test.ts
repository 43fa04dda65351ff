import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { affordableRecords, quote, rateFor } from '@vcds/metering';
import { newAccount } from './support/account.ts';
import { STORES, type StoreUnderTest, TIMES } from './support/stores.ts';

const signals = quote(rateFor('/signals'), { ceilingRecords: 50, expands: 2, countOnly: false });
const startups = quote(rateFor('/startups'), { ceilingRecords: 25, expands: 0, countOnly: false });

describe.each(STORES)('the worked example of the README, for the ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  test('holds, word for word', async () => {
    const { reserve, settle, balance, charges } = await newAccount(store);
    await reserve(480, 'before');
    await settle('before', 480);

    const op = randomUUID();
    expect(signals.ceiling).toBe(19);
    expect(await reserve(signals.ceiling, op)).toMatchObject({
      status: 'held',
      balance: { remaining: 1 },
    });
    expect(await reserve(startups.ceiling)).toMatchObject({ status: 'exhausted', required: 25 });
    expect(affordableRecords(rateFor('/startups'), { credits: 1, expands: 0 })).toBe(1);

    const paid = { status: 'settled', charged: 12, balance: { used: 492, remaining: 8 } };
    expect(await settle(op, signals.settle(30))).toMatchObject(paid);
    expect(await settle(op, signals.settle(30))).toMatchObject(paid);
    expect((await charges()).filter((charge) => charge.op === op)).toHaveLength(1);

    expect(await reserve(8, 'killed')).toMatchObject({ balance: { remaining: 0 } });
    store.advance(TIMES.holdMs);
    expect(await balance()).toMatchObject({ balance: { remaining: 8 } });

    store.setClock('2026-03-31T23:59:55Z');
    expect(await reserve(8, 'late')).toMatchObject({ status: 'held' });
    store.setClock('2026-04-01T00:00:05Z');
    expect(await settle('late', 5)).toMatchObject({
      charged: 5,
      balance: { used: 0, remaining: 500 },
    });
    expect((await charges()).at(-1)).toMatchObject({ period: 202603, charged: 5 });
  });
});
