import { randomUUID } from 'node:crypto';
import {
  bucketOfAccount,
  bucketOfDigest,
  digestOf,
  generateApiKey,
  type KeyDigest,
  parseDigest,
} from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import type { Login } from '../generated/client.ts';
import { isTaken, type Transaction } from '../store/database.ts';
import {
  issueKey,
  JournalError,
  lockBuckets,
  type Recorded,
  record,
  requireAccount,
  revokeKey,
} from '../store/journal.ts';
import { bringToRedis, type Stores } from '../store/stores.ts';
import { hashPassword, type PasswordHash, type ScryptCost } from './password.ts';

/**
 * User names and passwords: created by the operator, stored only in PostgreSQL. A password has an
 * internal key, whose text is never issued: revoking it revokes every token of the password.
 */
export type Logins = ReturnType<typeof createLogins>;

interface LoginsOptions extends Stores {
  /** Of new passwords; by default that of the service. */
  readonly passwordCost?: ScryptCost | undefined;
}

export function createLogins(options: LoginsOptions) {
  const { database, history, store, clock, passwordCost } = options;
  const now = (): Date => new Date(clock.wallMs());
  const bringIntoForce = async ({ recorded, revoked }: LoginRecorded): Promise<void> => {
    await bringToRedis({ history, store }, recorded);
    await store.announce(revoked);
  };
  return {
    /**
     * Undefined if no account has that user name. One look-up in either case, so that the time does
     * not disclose it. @throws ApiError `unavailable` without PostgreSQL.
     */
    find: async (userName: string): Promise<Login | undefined> => {
      const where = { userName: userName.toLowerCase() };
      return (await answered(database.login.findUnique({ where }))) ?? undefined;
    },
    /** The digest of the internal key of a password. @throws ApiError `unavailable`. */
    digestOf: async ({ keyId }: Login): Promise<KeyDigest> => {
      const key = await answered(history.findKey({ id: keyId }));
      const digest = parseDigest(key?.digest);
      if (digest === undefined) throw new Error(`The journal has no digest for key ${keyId}.`);
      return digest;
    },
    /**
     * Sets or replaces user name and password of an account. In force when it resolves.
     *
     * @throws JournalError when there is no such account, or another one has the user name.
     */
    set: async (accountId: string, userName: string, password: string): Promise<void> => {
      const login = {
        accountId,
        userName: userName.toLowerCase(),
        passwordHash: await hashPassword(password, passwordCost),
        keyId: randomUUID(),
        digest: digestOf(generateApiKey()),
      };
      const change = database.$transaction((tx) => setLogin(tx, login, now()));
      await bringIntoForce(
        await change.catch((error: unknown) => {
          throw isTaken(error) ? userNameTaken(login.userName) : error;
        }),
      );
    },
    /** Removes user name and password. False if the account had none. */
    remove: async (accountId: string): Promise<boolean> => {
      const change = await database.$transaction((tx) => removeLogin(tx, accountId, now()));
      if (change !== undefined) await bringIntoForce(change);
      return change !== undefined;
    },
  };
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'User names are temporarily unavailable. Retry later.');
}

/** A new user name, in lower case, and password of an account, and their internal key. */
interface NewLogin extends Omit<Login, 'setAt'> {
  readonly passwordHash: PasswordHash;
  readonly digest: KeyDigest;
}

/** A committed change of a login, and the keys that it revoked. */
interface LoginRecorded {
  readonly recorded: Recorded;
  readonly revoked: readonly KeyDigest[];
}

/**
 * Sets user name and password of an account, in the journal. Revokes the internal key of the
 * previous password, and with it all its tokens.
 *
 * @throws JournalError when there is no such account, or another one has the user name.
 */
async function setLogin(tx: Transaction, login: NewLogin, at: Date): Promise<LoginRecorded> {
  const { accountId, userName, passwordHash, keyId, digest } = login;
  await lockBuckets(tx, [bucketOfAccount(accountId), bucketOfDigest(digest)]);
  await requireAccount(tx, accountId);
  const holder = await tx.login.findUnique({ where: { userName } });
  if (holder !== null && holder.accountId !== accountId) throw userNameTaken(userName);
  const revoked = await endLogin(tx, accountId, at);
  const label = `Password of ${userName}`;
  const key = { id: keyId, accountId, digest, hint: 'password', label, origin: 'login' } as const;
  const { owner } = await issueKey(tx, { ...key, scopes: null, expiresAt: null }, at);
  await tx.login.create({ data: { accountId, userName, passwordHash, keyId, setAt: at } });
  const detail = { userName };
  const recorded = await record(tx, { accountId, kind: 'login_set', detail, at, keyId });
  return { recorded: { ...recorded, ...(owner && { owner }) }, revoked };
}

/** Removes user name and password, in the journal. Undefined if the account has none. */
export async function removeLogin(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<LoginRecorded | undefined> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const login = await tx.login.findUnique({ where: { accountId } });
  if (login === null) return undefined;
  const revoked = await endLogin(tx, accountId, at);
  const { userName, keyId } = login;
  const detail = { userName };
  const recorded = await record(tx, { accountId, kind: 'login_removed', detail, at, keyId });
  return { recorded, revoked };
}

async function endLogin(tx: Transaction, accountId: string, at: Date): Promise<KeyDigest[]> {
  const login = await tx.login.findUnique({ where: { accountId } });
  if (login === null) return [];
  const { account } = await revokeKey(tx, login.keyId, at);
  await tx.login.delete({ where: { accountId } });
  return account.keys.filter(({ keyId }) => keyId === login.keyId).map(({ digest }) => digest);
}

/** The error for a user name that another account has. */
function userNameTaken(userName: string): JournalError {
  return new JournalError(`Another account has the user name '${userName}'.`);
}
