import { digestOf, parseApiKey, SCOPES, type Scope } from '@vcds/credentials';
import { type Fixture, keysOf } from '../registration/fixture.ts';
import { keyOn, signedIn } from './person.ts';

export const NEW_KEY = '/account/keys/new';

/** Somebody who is signed in and has made a key, and where it is looked after. */
export async function withKey(fixture: Fixture, scopes: readonly Scope[] = SCOPES) {
  const { person, accountId } = await signedIn(fixture);
  await person.get(NEW_KEY);
  const key = keyOn(await person.post(NEW_KEY, { name: 'mine', scope: scopes }));
  const [record] = await keysOf(fixture, { id: accountId });
  const id = record?.id ?? '';
  return { person, accountId, key, id, path: `/account/keys/${id}` };
}

/** What Redis lets a key do. */
export async function check(fixture: Fixture, text: string) {
  const key = parseApiKey(text);
  if (key === undefined) throw new Error('That is no key.');
  return fixture.access.guard.check(digestOf(key));
}

/** The scopes a key has, null for all its plan allows; or why it is refused. */
export async function scopesOf(fixture: Fixture, text: string) {
  const answer = await check(fixture, text);
  return 'rejected' in answer
    ? answer.rejected
    : answer.principal.scopes && [...answer.principal.scopes];
}
