import { randomUUID } from 'node:crypto';
import { digestOf, generateApiKey, type KeyDigest, parseDigest } from '@vcds/credentials';
import { ApiError, type Clock } from '@vcds/service-kit';
import { type Database, isTaken } from '../journal/database.ts';
import type { History } from '../journal/history.ts';
import { bringToRedis } from '../store/bring-to-redis.ts';
import type { KeyStore } from '../store/key-store.ts';
import { type LoginRecorded, removeLogin, setLogin, userNameTaken } from './login-journal.ts';
import { hashPassword } from './password.ts';

/** What a user name leads to. */
export interface Login {
  readonly accountId: string;
  /** The key that stands for the password. */
  readonly digest: KeyDigest;
  readonly passwordHash: string;
}

/**
 * User names and passwords (decisions §7): made by the operator, kept in PostgreSQL alone. The
 * password stands for a key nobody holds, so what becomes of it becomes of every token.
 */
export interface Logins {
  /** Undefined: nobody has that user name. @throws ApiError `unavailable` without PostgreSQL. */
  find(userName: string): Promise<Login | undefined>;
  /**
   * Gives an account this user name and password, in place of any it had. In force on return.
   *
   * @throws JournalRefusal when there is no such account, or another one has the user name.
   */
  set(accountId: string, userName: string, password: string): Promise<void>;
  /** Takes user name and password away. False: the account had none. */
  remove(accountId: string): Promise<boolean>;
}

export interface LoginsOptions {
  readonly database: Database;
  readonly history: History;
  readonly store: KeyStore;
  readonly clock: Clock;
}

export function createLogins({ database, history, store, clock }: LoginsOptions): Logins {
  const now = (): Date => new Date(clock.wallMs());
  const bringIntoForce = async ({ recorded, revoked }: LoginRecorded): Promise<void> => {
    await bringToRedis({ history, store }, recorded);
    await store.announce(revoked);
  };
  return {
    find: (userName) => find(database, userName.toLowerCase()),
    set: async (accountId, userName, password) => {
      const login = {
        accountId,
        userName: userName.toLowerCase(),
        passwordHash: await hashPassword(password),
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
    remove: async (accountId) => {
      const change = await database.$transaction((tx) => removeLogin(tx, accountId, now()));
      if (change !== undefined) await bringIntoForce(change);
      return change !== undefined;
    },
  };
}

async function find(database: Database, userName: string): Promise<Login | undefined> {
  const asked = database.login.findUnique({ where: { userName }, include: { key: true } });
  const found = await asked.catch((error: unknown) => {
    const message = 'User names cannot be looked up at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: error });
  });
  const digest = parseDigest(found?.key.digest);
  if (found === null || digest === undefined) return undefined;
  return { accountId: found.accountId, digest, passwordHash: found.passwordHash };
}
