import { Resolver } from 'node:dns/promises';
import type { Logger } from '@vcds/service-kit';
import { errorCode } from '@vcds/service-kit/error-code';

const LOOKUP_MS_MAX = 2_000;
/** The errors of a resolver for a name or record that does not exist. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** Whether a domain accepts mail. */
export type MailDomainCheck = (domain: string) => Promise<boolean>;

export interface MailDomainOptions {
  /** Resolvers, `address` or `address:port`; absent: those of the system. */
  readonly servers?: readonly string[] | undefined;
  readonly logger: Logger;
  /** Default 2 s, for all resolvers together. */
  readonly timeoutMs?: number;
}

/**
 * Looks up MX records. A domain without one, or with only a null MX (RFC 7505), accepts no mail. If
 * the resolver fails or times out, the domain is accepted.
 */
export function createMailDomainCheck(options: MailDomainOptions): MailDomainCheck {
  const { servers, logger, timeoutMs = LOOKUP_MS_MAX } = options;
  return async (domain) => {
    // One resolver per look-up, so that cancelling one does not cancel the others.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const records = await resolver.resolveMx(domain);
      return records.some(({ exchange }) => exchange !== '' && exchange !== '.');
    } catch (error) {
      const code = String(errorCode(error) ?? 'unknown');
      if (ABSENT.has(code)) return false;
      logger.warn({ code }, 'MX look-up failed; accepting the address');
      return true;
    } finally {
      clearTimeout(timer);
    }
  };
}
