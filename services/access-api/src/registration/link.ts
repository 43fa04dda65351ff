import { randomBytes } from 'node:crypto';
import { parseRegistrationId, type RegistrationId } from './redis-keys.ts';

const SECRET_BYTES = 24;
const SHAPE = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{48})$/;

/** Where the link of a message leads, below the public root. */
export const SIGN_IN_PATH = '/account/sign-in';

/**
 * The secret part of the mailed link: the registration's id and 192 random bits, in digits and
 * letters alone, so that no mail program cuts it short.
 */
export interface Link {
  readonly id: RegistrationId;
  readonly secret: string;
}

export function newLink(id: RegistrationId): Link {
  return { id, secret: randomBytes(SECRET_BYTES).toString('hex') };
}

export function formatLink({ id, secret }: Link): string {
  return `${id.replaceAll('-', '')}${secret}`;
}

/** The link, if the text has the form of one. */
export function parseLink(text: string): Link | undefined {
  const parts = SHAPE.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  const id = parseRegistrationId(parts.slice(0, 5).join('-'));
  return id === undefined ? undefined : { id, secret: parts[5] ?? '' };
}
