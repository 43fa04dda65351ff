import { isIP } from 'node:net';
import { parseUrl } from '@vcds/venture-model';
import { notPublic, OutboundError } from './outbound-error.ts';

const URL_LENGTH_MAX = 4_096;
const HOST_LENGTH_MAX = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;
/** A top-level domain is never a number; a name that ends in one could be read as an address. */
const TOP_LEVEL = /^[a-z]/;

/** Names that never are of the public DNS (RFC 6761, 6762, 7686, 8375; ICANN's `internal`). */
const LOCAL_SUFFIXES: ReadonlySet<string> = new Set([
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home'],
  ...['lan', 'onion', 'arpa'],
]);

/** A URL that may be requested, and its host in the two forms that it can have. */
export interface Target {
  readonly url: URL;
  /** The name for DNS, without a trailing dot; or the literal address without brackets. */
  readonly host: string;
  readonly isLiteral: boolean;
}

/**
 * Parses the URL of a request or of a redirect. Only the parsed form is used afterwards, so no
 * spelling can mean one host to the check and another to the connection.
 *
 * @throws OutboundError bad_url, or address_not_public for a name that is not of the public DNS.
 */
export function targetOf(text: string, ports: ReadonlySet<number>, base?: URL): Target {
  const url = parse(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('bad_url', 'Only http and https URLs are requested.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('bad_url', 'The URL must not contain a user name or password.');
  }
  if (!ports.has(portOf(url))) {
    throw new OutboundError('bad_url', 'Only the ports 80 and 443 are requested.');
  }
  url.hash = '';
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return { url, host: bare, isLiteral: true };
  const host = bare.replace(/\.$/, '');
  assertPublicName(host);
  url.hostname = host;
  return { url, host, isLiteral: false };
}

/** The port of a URL; the parser leaves out the default of the scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function parse(text: string, base: URL | undefined): URL {
  const url = text.length <= URL_LENGTH_MAX ? parseUrl(text, base) : null;
  if (url !== null && url.href.length <= URL_LENGTH_MAX) return url;
  throw new OutboundError('bad_url', 'The URL is not valid.');
}

function assertPublicName(name: string): void {
  const labels = name.split('.');
  const top = labels.at(-1) ?? '';
  const isName = labels.every((label) => LABEL.test(label)) && TOP_LEVEL.test(top);
  if (name.length > HOST_LENGTH_MAX || !isName) {
    throw new OutboundError('bad_url', 'The host of the URL is not valid.');
  }
  if (labels.length < 2 || LOCAL_SUFFIXES.has(top)) {
    throw notPublic();
  }
}
