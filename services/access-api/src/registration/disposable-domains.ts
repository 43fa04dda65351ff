import { readFileSync } from 'node:fs';
import { ConfigError } from '@vcds/service-kit';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { asciiDomain } from './email-address.ts';

/** Whether a domain is known for mailboxes anybody can read and nobody keeps. */
export type DisposableDomains = (domain: string) => boolean;

/** The published list and the operator's own. A domain on either covers everything below it. */
export function createDisposableDomains(own: ReadonlySet<string>): DisposableDomains {
  const published = disposableEmailBlocklistSet();
  return (domain) => {
    const labels = domain.split('.');
    return labels.some((_, from) => {
      const suffix = labels.slice(from).join('.');
      return published.has(suffix) || own.has(suffix);
    });
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
