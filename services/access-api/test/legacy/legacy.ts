import { scryptSync } from 'node:crypto';
import request from 'supertest';
import { createLogins } from '../../src/legacy/logins.ts';
import type { Access } from '../access.ts';
import { type Fixture, newClient } from '../registration/fixture.ts';

export const EXCHANGE = '/v2/auth/token';
export const PASSWORD = 'correct horse battery staple';

export function loginsOf({ database, history, store, clock }: Access) {
  return createLogins({ database, history, store, clock });
}

export function basic(userName: string, password = ''): string {
  return `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;
}

/** Exchanges from a client of its own. */
export function exchange({ app }: Pick<Fixture, 'app'>, header: string, client = newClient()) {
  return request(app).post(EXCHANGE).set('X-Forwarded-For', client).set('Authorization', header);
}

const [COST_LOG2, SALT] = [10, 'a salt of a test'];
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
/**
 * The password above as it is kept, but made to be compared in 3 ms: a hash is compared under its
 * own parameters, so that what is tested of many of them is the same in a thirtieth of the time.
 */
export const CHEAP_HASH = `$scrypt$ln=${COST_LOG2},r=8,p=1$${[
  Buffer.from(SALT),
  scryptSync(PASSWORD, SALT, 32, { N: 2 ** COST_LOG2, r: 8, p: 1 }),
]
  .map(base64)
  .join('$')}`;

let users = 0;
/** An account with a user name nobody had before, and the password above, kept cheaply. */
export async function newUser(access: Access) {
  users += 1;
  const userName = `user${users}@example.com`;
  const accountId = await access.accounts.create({ plan: 'growth' });
  await loginsOf(access).set(accountId, userName, PASSWORD);
  const passwordHash = CHEAP_HASH;
  await access.database.login.update({ where: { userName }, data: { passwordHash } });
  return { userName, accountId };
}
