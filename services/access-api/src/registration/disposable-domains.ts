import { readFileSync } from 'node:fs';
import { ConfigError } from '@vcds/service-kit';
import { asciiDomain } from './email-address.ts';

/** Whether a domain provides temporary mailboxes. */
export type DisposableDomains = (domain: string) => Promise<boolean>;

/**
 * Domains of mailchecker's list with permanent mailboxes: relays that hide an address, and a host
 * of ordinary mailboxes.
 */
const PERMANENT_MAILBOXES: ReadonlySet<string> = new Set([
  ...['duck.com', 'mozmail.com', 'relay.firefox.com'],
  ...['simplelogin.com', 'simplelogin.co', 'aleeas.com', 'slmail.me', 'slmails.com', '8shield.net'],
  ...['passmail.net', 'passmail.com', 'passinbox.com', 'passfwd.com'],
  ...['addy.io', 'anonaddy.com', 'anonaddy.me', 'erine.email'],
  ...['forwardemail.net', 'improvmx.com', 'keemail.me'],
]);

/** Typical names, below any top-level domain: `tempmail`, `10-minute-mail`. */
const TYPICAL_LABEL =
  /^(?:temp(?:orary)?|tmp|trash|throw-?away|disposable|fake|\d{1,3}-?min(?:ute)?s?|minute)-?(?:e-?)?(?:mail|inbox|mailbox)(?:es|s)?$/;

/**
 * Two published lists, typical names, and the operator's own list. A listed domain includes its
 * subdomains. The lists, which take 15 MB of memory, are loaded for the first address.
 */
export function createDisposableDomains(own: ReadonlySet<string>): DisposableDomains {
  let loading: ReturnType<typeof loadDisposableDomains> | undefined;
  return async (domain) => {
    loading ??= loadDisposableDomains(own);
    return (await loading)(domain);
  };
}

/** The same with its lists. */
export async function loadDisposableDomains(
  own: ReadonlySet<string>,
): Promise<(domain: string) => boolean> {
  const [{ disposableEmailBlocklistSet }, { default: MailChecker }] = await Promise.all([
    import('disposable-email-domains-js'),
    import('mailchecker'),
  ]);
  const curated = disposableEmailBlocklistSet();
  const collected = MailChecker.blacklist();
  const isListed = (domain: string): boolean =>
    own.has(domain) ||
    curated.has(domain) ||
    (collected.has(domain) && !PERMANENT_MAILBOXES.has(domain));
  return (domain) => {
    const labels = domain.split('.');
    return labels.some(
      (label, from) => TYPICAL_LABEL.test(label) || isListed(labels.slice(from).join('.')),
    );
  };
}

/**
 * The operator's own list (DISPOSABLE_DOMAINS_FILE): one domain per line, `#` starts a comment.
 *
 * @throws ConfigError if the file is not readable or a line is not a domain.
 */
export function readDomainsFile(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigError(['DISPOSABLE_DOMAINS_FILE is not readable.']);
  }
  const domains = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') continue;
    const domain = asciiDomain(entry);
    if (domain === undefined) {
      throw new ConfigError([`DISPOSABLE_DOMAINS_FILE: line ${index + 1} is not a domain.`]);
    }
    domains.add(domain);
  }
  return domains;
}
