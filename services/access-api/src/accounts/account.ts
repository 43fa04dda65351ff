import { randomUUID } from 'node:crypto';
import type { PlanId } from '@vcds/credentials';
import { JournalError } from './journal.ts';
import {
  addKey,
  endKey,
  type IssuedKey,
  type KeyInput,
  limitKey,
  liveKeys,
  newKey,
} from './key.ts';
import type { Stores } from './stores.ts';

type AccountInput = Partial<Record<'id' | 'email' | 'name', string>> & { readonly plan: PlanId };

/** Changes accounts and keys, as `journal.change`. */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({
  journal,
  history,
  clock,
}: Pick<Stores, 'journal' | 'history' | 'clock'>) {
  return {
    create: async ({ id = randomUUID(), email, name, plan }: AccountInput): Promise<string> => {
      const account = { id, email: email ?? null, name: name ?? null, plan };
      const detail = { ...account };
      await journal.change(
        id,
        ({ record }) => record({ kind: 'account_created', detail }),
        account,
      );
      return id;
    },
    /** Concerns all valid keys. */
    setPlan: (accountId: string, plan: PlanId): Promise<void> =>
      journal.change(accountId, async (change) => {
        const { plan: from } = change.account;
        change.announce(await liveKeys(change));
        if (from === plan) return;
        const detail = { from, to: plan };
        await change.record({ kind: 'plan_changed', detail, columns: { plan } });
      }),
    /** @throws TooManyKeys */
    issueKey: async (input: KeyInput): Promise<IssuedKey> => {
      const { key, issued } = newKey(input, clock);
      await journal.change(input.accountId, (change) => addKey(change, key));
      return issued;
    },
    /**
     * Sets the monthly limit of a key; null: none. Idempotent.
     *
     * @throws JournalError if there is no such key, or it is no longer valid.
     */
    limitKey: async (keyId: string, creditLimit: number | null): Promise<void> => {
      const key = await history.findKey({ id: keyId });
      if (key === null) throw new JournalError(`No key has the id ${keyId}.`);
      const status = await journal.change(key.accountId, (change) =>
        limitKey(change, keyId, creditLimit),
      );
      if (status !== 'limited') throw new JournalError(`Key ${keyId} is no longer valid.`);
    },
    /** Idempotent. @throws JournalError if there is no such key. */
    revokeKey: async (keyId: string): Promise<void> => {
      const key = await history.findKey({ id: keyId });
      if (key === null) throw new JournalError(`No key has the id ${keyId}.`);
      await journal.change(key.accountId, (change) => endKey(change, keyId));
    },
  };
}
