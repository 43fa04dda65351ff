/** The facts of a client in its description. */
import { parseUrl } from '@vcds/venture-model';

/** A client: all are public, so none has a secret. */
export interface ClientFacts {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const NAME_LENGTH_MAX = 60;
const URIS_MAX = 10;
const URI_LENGTH_MAX = 512;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes that browsers run or open themselves; others belong to an installed program. */
const NOT_A_PROGRAM = new Set(
  [
    'javascript',
    'data',
    'vbscript',
    'file',
    'blob',
    'about',
    'filesystem',
    'view-source',
    'ws',
    'wss',
  ]
    .concat(['ftp', 'mailto', 'tel', 'sms', 'chrome', 'resource', 'intent', 'jar', 'http', 'https'])
    .map((scheme) => `${scheme}:`),
);

/**
 * The facts of a description (RFC 7591); undefined if a required one is missing or out of bounds, or the
 * client has a secret.
 *
 * @param clientId the id that the description must have, if it must have one.
 */
export function clientFacts(document: unknown, clientId?: string): ClientFacts | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const facts = document as Readonly<Record<string, unknown>>;
  const { client_name: name, redirect_uris: uris, token_endpoint_auth_method: method } = facts;
  if (clientId !== undefined) {
    if (facts.client_id !== clientId || facts.client_secret !== undefined) return undefined;
    if (method !== undefined && method !== 'none') return undefined;
  }
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > URIS_MAX) return undefined;
  if (!uris.every(isRedirectUri)) return undefined;
  return { name: nameOf(name, uris[0] ?? ''), redirectUris: uris };
}

/** Whether a client may be sent to this address: https, loopback, or the scheme of a program. */
export function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > URI_LENGTH_MAX) return false;
  const url = parseUrl(uri);
  if (url === null || /[\s\\]/.test(uri) || uri.includes('#')) return false;
  const { protocol, hostname, username, password } = url;
  if (username !== '' || password !== '') return false;
  // It is part of a header of the page of consent.
  if (!/^(?:[a-z0-9._-]*|\[[0-9a-f:.]+\])$/i.test(hostname)) return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.has(hostname);
  return /^[a-z][a-z0-9+.-]{1,40}:$/.test(protocol) && !NOT_A_PROGRAM.has(protocol);
}

function nameOf(name: unknown, uri: string): string {
  const text = typeof name === 'string' ? name : '';
  const visible = text
    .normalize('NFC')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return [...(visible || new URL(uri).host || 'An assistant')].slice(0, NAME_LENGTH_MAX).join('');
}
