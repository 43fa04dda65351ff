import { domainToASCII } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { ACCESS_FIELDS } from '../keys/endpoints.ts';

// RFC 5321 §4.5.3.1: servers must accept this length; longer addresses are not delivered reliably.
const { lengthMax: ADDRESS_LENGTH_MAX } = ACCESS_FIELDS.email;
const LOCAL_LENGTH_MAX = 64;
/** Letters, digits, hyphens and non-ASCII characters; none with a meaning in a URL. */
const DOMAIN_SHAPE = /^[^\s\p{Cc}!-,/:-@[-`{-~]+$/u;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** At least two labels, the last not a number: a public DNS name, not an address literal. */
const ASCII_DOMAIN = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`);

/** A mailbox as accounts are known by: lower-case, the domain in A-labels. */
export type EmailAddress = string & { readonly brand: 'EmailAddress' };

const ajv = new Ajv();
addFormats.default(ajv, ['email']);
const isEmail = ajv.compile({ type: 'string', format: 'email', maxLength: ADDRESS_LENGTH_MAX });

/**
 * Parses an address: without surrounding space, a mailbox of at most 64 ASCII characters at a
 * public domain; undefined for other text. Keeps dots and plus signs, whose meaning depends on the
 * server.
 */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const trimmed = text.trim();
  if (trimmed.length > ADDRESS_LENGTH_MAX) return undefined;
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, Math.max(at, 0)).toLowerCase();
  const domain = asciiDomain(trimmed.slice(at + 1));
  if (domain === undefined || local.length > LOCAL_LENGTH_MAX) return undefined;
  const address = `${local}@${domain}`;
  return isEmail(address) ? (address as EmailAddress) : undefined;
}

/** The domain in lower-case A-labels, or undefined if it is not a public name. */
export function asciiDomain(text: string): string | undefined {
  if (!DOMAIN_SHAPE.test(text)) return undefined;
  const domain = domainToASCII(text);
  return ASCII_DOMAIN.test(domain) ? domain : undefined;
}

/** The part after the `@`. */
export function domainOf(address: EmailAddress): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
