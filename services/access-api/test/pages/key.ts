import { digestOf, parseApiKey, SCOPES, type Scope } from '@vcds/credentials';
import type { Product } from '@vcds/test-kit';
import { type Fixture, keysOf } from '../registration/fixture.ts';
import { keyOn, signedIn } from './person.ts';

export const NEW_KEY = '/account/keys/new';

/** A signed-in user with a new key, and the path of its pages. */
export async function withKey(fixture: Fixture, scopes: readonly Scope[] = SCOPES) {
  const { person, accountId } = await signedIn(fixture);
  const key = keyOn(await person.post(NEW_KEY, { name: 'mine', scope: scopes }));
  const [record] = await keysOf(fixture, { id: accountId });
  const id = record?.id ?? '';
  return { person, accountId, key, id, path: `/account/keys/${id}` };
}

/** The check of a key in Redis. */
export async function check(fixture: Fixture, text: string) {
  const key = parseApiKey(text);
  if (key === undefined) throw new Error('Not a key.');
  return fixture.access.guard.check(digestOf(key));
}

/** The scopes of a key, null for all of its plan; or why it is rejected. */
export async function scopesOf(fixture: Fixture, text: string) {
  const answer = await check(fixture, text);
  return 'rejected' in answer
    ? answer.rejected
    : answer.principal.scopes && [...answer.principal.scopes];
}

/** The link in the newest message to an address; waits for it. */
export async function linkTo(product: Product, address: string): Promise<string> {
  const { text } = await product.mailTo(address);
  return /http\S+\/account\/sign-in\/\w+/.exec(text)?.[0] ?? '';
}
