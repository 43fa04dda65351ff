import { randomBytes, randomUUID } from 'node:crypto';

// All of an address lies in one slot of a cluster, so that one script can count its limits and
// change its registrations. A request id begins with two digits of the address's keyed digest:
// from the id alone it is known where the registration lies.
const TAG_DIGITS = 2;
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Names a registration; `request_id` of the interface (spec §4.6). Not a secret. */
export type RegistrationId = string & { readonly brand: 'RegistrationId' };

/** A new id for a registration of the address with this digest. */
export function newRegistrationId(addressDigest: string): RegistrationId {
  const id = `${addressDigest.slice(0, TAG_DIGITS)}${randomUUID().slice(TAG_DIGITS)}`;
  return id as RegistrationId;
}

/** The id, if the text has the form of one. */
export function parseRegistrationId(text: string): RegistrationId | undefined {
  return REQUEST_ID.test(text) ? (text as RegistrationId) : undefined;
}

/** hash: a registration, see registration-store.ts. */
export function registrationKey(id: RegistrationId): string {
  return `${tag(id)}:registration:${id}`;
}

/** The names of what is kept of an address. */
export function addressKeys(addressDigest: string) {
  const prefix = `${tag(addressDigest)}:address:${addressDigest}`;
  return {
    /** list: ids of its latest registrations, newest first. */
    latest: `${prefix}:latest`,
    /** sorted set: when it was registered within the last hour. */
    registered: `${prefix}:registered`,
    /** sorted set: when wrong codes were given within the last day. */
    wrong: `${prefix}:wrong`,
  } as const;
}

/** sorted set: when a network registered within the last hour. */
export function networkKey(networkDigest: string): string {
  return `network:${networkDigest}:registered`;
}

/** A member of a sorted set that no other has. */
export function uniqueMember(): string {
  return randomBytes(12).toString('base64url');
}

function tag(digits: string): string {
  return `{r:${digits.slice(0, TAG_DIGITS)}}`;
}
