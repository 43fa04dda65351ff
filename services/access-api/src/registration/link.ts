import { randomBytes } from 'node:crypto';
import { parseRegistrationId, type RegistrationId } from './redis-keys.ts';

const SECRET_BYTES = 24;
const SHAPE = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([0-9a-f]{48})$/;

/** The path of mailed links, below the public root. */
export const SIGN_IN_PATH = '/account/sign-in';

/**
 * The last segment of a mailed link: the id of the registration and 192 random bits, in digits and
 * letters only, so that no mail program truncates it.
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

/** Parses a link; undefined for malformed text. */
export function parseLink(text: string): Link | undefined {
  const parts = SHAPE.exec(text)?.slice(1);
  if (parts === undefined) return undefined;
  const id = parseRegistrationId(parts.slice(0, 5).join('-'));
  return id === undefined ? undefined : { id, secret: parts[5] ?? '' };
}
