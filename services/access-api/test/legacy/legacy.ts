import request from 'supertest';
import { createLogins } from '../../src/legacy/logins.ts';
import { type Access, CHEAP_SCRYPT } from '../access.ts';
import { type Fixture, newClient } from '../registration/fixture.ts';

export const EXCHANGE = '/v2/auth/token';
export const PASSWORD = 'correct horse battery staple';

export function loginsOf(access: Access) {
  return createLogins({ ...access, passwordCost: CHEAP_SCRYPT });
}

export function basic(userName: string, password = ''): string {
  return `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`;
}

/** Exchanges from a client of its own. */
export function exchange({ app }: Pick<Fixture, 'app'>, header: string, client = newClient()) {
  return request(app).post(EXCHANGE).set('X-Forwarded-For', client).set('Authorization', header);
}

let users = 0;
/** An account with a new user name and the password above. */
export async function newUser(access: Access) {
  users += 1;
  const userName = `user${users}@example.com`;
  const accountId = await access.accounts.create({ plan: 'growth' });
  await loginsOf(access).set(accountId, userName, PASSWORD);
  return { userName, accountId };
}
