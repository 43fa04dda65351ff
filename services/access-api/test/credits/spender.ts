import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createRedisLedger } from '@vcds/metering/redis';
import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';

export const LIMIT = 1_000_000;

export type Spender = Awaited<ReturnType<typeof openSpender>>;

const RETRY_MS = 20;
/** Between two charges of an account: what starts meanwhile needs the processor, too. */
const PAUSE_MS = 150;

/** Spends credits as data-api does, and stores the confirmed charges. */
export async function openSpender(redisUrl: string) {
  const logger = createLogger({ service: 'spender', level: 'silent' });
  const redis = createRedis({ url: redisUrl, name: 'spender', logger });
  await redisReady(redis);
  const { ledger } = createRedisLedger({ redis });
  /** Operation → credits, for every charge that was acknowledged. */
  const charged = new Map<string, number>();

  /** Charges an account, trying until the ledger serves it. */
  const charge = async (account: string, credits: number): Promise<void> => {
    const call = { account, op: randomUUID() };
    const request = {
      keyId: randomUUID(),
      endpoint: '/startups',
      requestId: 'request-1',
      max: credits + 5,
      limit: LIMIT,
    };
    await served(() => ledger.reserve({ ...call, ...request }));
    const { charged: confirmed } = await served(() => ledger.settle(call, credits));
    // 0: Redis lost the hold meanwhile.
    if (confirmed > 0) charged.set(call.op, confirmed);
  };

  return {
    ...{ redis, ledger, charged, charge },
    /** Charges each of some accounts, seven times a second at most, until it is stopped. */
    keepCharging: (accounts: readonly string[]) => {
      let stopped = false;
      const running = Promise.all(
        accounts.map(async (account) => {
          for (let number = 0; !stopped; number++) {
            await charge(account, 1 + (number % 9));
            await delay(PAUSE_MS);
          }
        }),
      );
      return {
        stop: async () => {
          stopped = true;
          await running;
        },
      };
    },
    /** Credits of the month's allowance the account has used. */
    used: async (account: string): Promise<number> => {
      const { balance } = await served(() => ledger.balance(account, LIMIT));
      return balance.used;
    },
    close: () => closeRedis(redis),
  };
}

type Served<T> = Exclude<T, { status: 'unavailable' | 'revoked' | 'exhausted' | 'finished' }>;

async function served<T extends { readonly status: string }>(
  ask: () => Promise<T>,
): Promise<Served<T>> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 'unavailable') return answer as Served<T>;
    await delay(RETRY_MS);
  }
}
