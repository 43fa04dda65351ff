import { Resolver } from 'node:dns/promises';
import type { Logger } from '@vcds/service-kit';

const LOOKUP_MS_MAX = 2_000;
/** What a resolver answers when a name, or a record of this type, is known not to exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** Whether a domain takes mail. */
export type MailDomainCheck = (domain: string) => Promise<boolean>;

export interface MailDomainOptions {
  /** Resolvers to ask, `address` or `address:port`; absent: the system's. */
  readonly servers?: readonly string[] | undefined;
  readonly logger: Logger;
  /** Default 2 s, over all resolvers together. */
  readonly timeoutMs?: number;
}

/**
 * Looks for an MX record (docs/spec/registration.md 3.9). A domain without one, or whose only one
 * says that it takes no mail (RFC 7505), does not. When the resolver fails or is late the answer is
 * yes: a fault of ours refuses nobody.
 */
export function createMailDomainCheck(options: MailDomainOptions): MailDomainCheck {
  const { servers, logger, timeoutMs = LOOKUP_MS_MAX } = options;
  return async (domain) => {
    // One each, so that giving up on one look-up does not end the others.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const records = await resolver.resolveMx(domain);
      return records.some(({ exchange }) => exchange !== '' && exchange !== '.');
    } catch (error) {
      const code = codeOf(error);
      if (ABSENT.has(code)) return false;
      logger.warn({ code }, 'MX look-up failed; the address is let through');
      return true;
    } finally {
      clearTimeout(timer);
    }
  };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : 'unknown';
}
