import { parseUrl, unwrapped, websiteHost, websiteHostname } from '@vcds/venture-model';
import type { NoteTaker } from '../errors/line-error.ts';
import { cleanText, trimmedEnd } from './text.ts';

/** The address of a page, and its host in A-labels without `www.`. */
export interface Site {
  readonly url: string;
  readonly domain: string;
}

/** RFC 1035 2.3.4; a longer one does not fit into an entry of an index. */
const HOST_MAX = 253;
const PLAIN =
  /^https?:\/\/(?=[^/]{1,253}(?:\/|$))[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*(?:\/[^\s#]*)?$/u;
const WITH_SCHEME = /^([a-z][a-z0-9+.-]*):\/\//iu;

/**
 * Normalizes a web address: trims it, adds a missing scheme, and writes scheme and host in lower
 * case. An invalid address becomes null with a note, so that the record is not rejected for it.
 */
export function cleanSite(value: string, field: string, note: NoteTaker): Site | null {
  const text = cleanText(value, field, note);
  if (text === null) return null;
  const domain = PLAIN.test(text) ? websiteHost(text) : '';
  if (domain !== '') {
    if (text !== value) note({ field, kind: 'normalised', done: 'spaces trimmed' });
    return { url: text, domain };
  }
  const site = parse(text);
  if (site === null) {
    note({ field, kind: 'repaired', done: 'not a valid URL', was: value });
    return null;
  }
  if (site.url !== value) {
    const done = WITH_SCHEME.test(text) ? 'written as an address' : 'scheme added';
    note({ field, kind: 'normalised', done });
  }
  return site;
}

function parse(text: string): Site | null {
  const first = unquoted(firstOf(text));
  const schemed = WITH_SCHEME.test(first)
    ? first
    : `http://${first.replace(/^(?:https?:)?\/*/iu, '')}`;
  const url = parseUrl(schemed);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  const host = websiteHost(schemed);
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/u.test(host)) return null;
  if (websiteHostname(schemed).length > HOST_MAX) return null;
  const authority = schemed.slice(schemed.indexOf('//') + 2).split(/[/?#\\]/u, 1)[0] ?? '';
  // `3.14` may be read as the number of a machine, and is not meant as one.
  if (/\.\d+$/u.test(host) && authority.split(':', 1)[0] !== host) return null;
  const rest = schemed.slice(schemed.indexOf('//') + 2 + authority.length);
  return {
    url: `${url.protocol}//${authority.toLowerCase()}${rest.replace(/\s/gu, '%20')}`,
    domain: host,
  };
}

/** Of two addresses in one cell the first. */
function firstOf(text: string): string {
  const next = text.search(/\n|[\s,;]https?:/u);
  return next === -1 ? text : trimmedEnd(text.slice(0, next), /[\s,;]/u);
}

/** Without quotes and brackets around it; a page may end in a bracket of its own. */
function unquoted(text: string): string {
  return /^[^([{]+[([{]/u.test(text) ? text : unwrapped(text);
}
