// Tests docs/spec/authentication.md 2.5.
import { afterAll, expect, test } from '@jest/globals';
import { eventually, startProduct } from '@vcds/test-kit';
import { newAddress } from '../registration/fixture.ts';
import { linkTo } from './key.ts';
import { keyOn, Person } from './person.ts';

const product = await startProduct({ programs: ['access-api', 'worker', 'data-api'] });
afterAll(() => product.close());

const statusOf = async (path: string, key: string): Promise<number> => {
  const answer = await fetch(`${product.dataUrl}/v2${path}`, { headers: { 'X-Api-Key': key } });
  await answer.arrayBuffer();
  return answer.status;
};
const untilStatus = (status: number, path: string, key: string) =>
  eventually(async () => (await statusOf(path, key)) === status, { intervalMs: 5 });

test('data-api accepts a key of the account page, and rejects it when narrowed or revoked', async () => {
  const person = new Person(product.accessUrl);
  const email = newAddress();
  await person.post('/account/sign-in', { email });
  const link = new URL(await linkTo(product, email)).pathname;
  await person.post(link, { key: 'none' });
  const key = keyOn(await person.post('/account/keys/new', { scope: ['companies', 'news'] }));
  expect(await statusOf('/startups', key)).toBe(200);
  expect(await statusOf('/news', key)).toBe(200);
  expect(await statusOf('/persons', key)).toBe(403);

  const home = await person.get('/account');
  const [path = ''] = /\/account\/keys\/[0-9a-f-]{36}/.exec(home.text) ?? [];
  expect((await person.post(`${path}/scopes`, { scope: 'news' })).status).toBe(303);
  await untilStatus(403, '/startups', key);
  expect(await statusOf('/news', key)).toBe(200);

  expect((await person.post(`${path}/revoke`)).status).toBe(303);
  await untilStatus(401, '/news', key);
  expect(product.output()).not.toContain(key.slice(8));
});
