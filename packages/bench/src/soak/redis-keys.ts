import type { Redis } from 'ioredis';

/** Kinds of keys that accounts, registrations of a day and tokens of an hour have by design. */
export const GROWING_KEYS: ReadonlySet<string> = new Set([
  ...['account', 'credits', 'owner', 'keys', 'ledger', 'position'],
  ...['registration', 'mail', 'mailbox:registered', 'network:registered'],
  ...['address:registered', 'address:latest'],
  ...['legacy-token', 'legacy-tokens-of'],
]);

/** The number of keys of each kind: their names without hash tags, ids and numbers. */
export async function countKeys(redis: Redis): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const keys of redis.scanStream({ count: 1_000 })) {
    for (const key of keys as readonly string[]) {
      const words = key.replace(/\{[^{}]*\}/, '').split(':');
      const kind = words.filter((word) => /^[a-z-]+$/i.test(word)).join(':');
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return counts;
}
