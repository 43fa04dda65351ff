import { readFileSync } from 'node:fs';
import { ConfigError } from '@vcds/service-kit';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import MailChecker from 'mailchecker';
import { asciiDomain } from './email-address.ts';

/** Whether a domain is known for mailboxes anybody can read and nobody keeps. */
export type DisposableDomains = (domain: string) => boolean;

/**
 * Domains of mailchecker's list whose mail reaches a mailbox that its owner keeps: relays that hide
 * an address, and a host of ordinary mailboxes.
 */
const KEPT_MAILBOXES: ReadonlySet<string> = new Set([
  ...['duck.com', 'mozmail.com', 'relay.firefox.com'],
  ...['simplelogin.com', 'simplelogin.co', 'aleeas.com', 'slmail.me', 'slmails.com', '8shield.net'],
  ...['passmail.net', 'passmail.com', 'passinbox.com', 'passfwd.com'],
  ...['addy.io', 'anonaddy.com', 'anonaddy.me', 'erine.email'],
  ...['forwardemail.net', 'improvmx.com', 'keemail.me'],
]);

/** Names that say what a domain is for, whatever it ends in: `tempmail`, `10-minute-mail`. */
const TELLING_LABEL =
  /^(?:temp(?:orary)?|tmp|trash|throw-?away|disposable|fake|\d{1,3}-?min(?:ute)?s?|minute)-?(?:e-?)?(?:mail|inbox|mailbox)(?:es|s)?$/;

/**
 * Two published lists, names that tell, and the operator's own list. A domain on a list covers
 * everything below it.
 */
export function createDisposableDomains(own: ReadonlySet<string>): DisposableDomains {
  const curated = disposableEmailBlocklistSet();
  const collected = MailChecker.blacklist();
  const isListed = (domain: string): boolean =>
    own.has(domain) ||
    curated.has(domain) ||
    (collected.has(domain) && !KEPT_MAILBOXES.has(domain));
  return (domain) => {
    const labels = domain.split('.');
    return labels.some(
      (label, from) => TELLING_LABEL.test(label) || isListed(labels.slice(from).join('.')),
    );
  };
}

/**
 * The operator's own list (DISPOSABLE_DOMAINS_FILE): one domain a line, `#` begins a comment.
 *
 * @throws ConfigError when the file cannot be read or a line is no domain.
 */
export function readDomainsFile(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError(['DISPOSABLE_DOMAINS_FILE names a file that cannot be read.']);
  }
  const domains = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') continue;
    const domain = asciiDomain(entry);
    if (domain === undefined) {
      throw new ConfigError([`DISPOSABLE_DOMAINS_FILE: line ${index + 1} is no domain.`]);
    }
    domains.add(domain);
  }
  return domains;
}
