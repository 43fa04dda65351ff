import { randomUUID } from 'node:crypto';

// All keys of a mailbox are in one slot of a cluster, so that one script can count its limits,
// change its registrations and list unsent messages. A request id begins with two digits of the
// mailbox's keyed digest, so that the id determines the slot.
const SLOT_DIGITS = 2;
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Identifies a registration; `request_id` of the interface. Not a secret. */
export type RegistrationId = string & { readonly brand: 'RegistrationId' };

/** A hash tag: keys with the same one are in one slot of a Redis Cluster. */
export type SlotTag = string & { readonly brand: 'SlotTag' };

/** All slot tags. */
export const SLOT_TAGS: readonly SlotTag[] = Array.from(
  { length: 16 ** SLOT_DIGITS },
  (_, number) => slotTagOf(number.toString(16).padStart(SLOT_DIGITS, '0')),
);

/** The slot of a mailbox, from its keyed digest or the id of a registration. */
export function slotTagOf(digestOrId: string): SlotTag {
  return `{r:${digestOrId.slice(0, SLOT_DIGITS)}}` as SlotTag;
}

/** A new id for a registration of the mailbox with this digest. */
export function newRegistrationId(mailboxDigest: string): RegistrationId {
  const id = `${mailboxDigest.slice(0, SLOT_DIGITS)}${randomUUID().slice(SLOT_DIGITS)}`;
  return id as RegistrationId;
}

/** Parses an id; undefined for malformed text. */
export function parseRegistrationId(text: string): RegistrationId | undefined {
  return REQUEST_ID.test(text) ? (text as RegistrationId) : undefined;
}

/** hash: a registration, see registration-store.ts. */
export function registrationKey(id: RegistrationId): string {
  return `${slotTagOf(id)}:registration:${id}`;
}

/** The keys of an address. */
export function addressKeys(slot: SlotTag, addressDigest: string) {
  const prefix = `${slot}:address:${addressDigest}`;
  return {
    /** list: ids of its latest registrations, newest first. */
    latest: `${prefix}:latest`,
    /** list: ids of those whose code is not found by the address. */
    unlisted: `${prefix}:unlisted`,
    /** sorted set: when it was registered within the last hour. */
    registered: `${prefix}:registered`,
    /** sorted set: when wrong codes were given within the last day. */
    wrong: `${prefix}:wrong`,
  } as const;
}

/** sorted set: when any address of a mailbox was registered within the last hour. */
export function mailboxKey(mailboxDigest: string): string {
  return `${slotTagOf(mailboxDigest)}:mailbox:${mailboxDigest}:registered`;
}

/** sorted set: when any address of a registrable domain was registered within the last hour. */
export function domainKey(domainDigest: string): string {
  return `domain:${domainDigest}:registered`;
}

/** sorted set: ids of registrations with an unsent message, by the time of the next check. */
export function unsentKey(slot: SlotTag): string {
  return `${slot}:unsent`;
}
