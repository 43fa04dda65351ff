import { Resolver } from 'node:dns/promises';
import { errorCode } from '@vcds/service-kit/error-code';

const ATTEMPT_MS_MAX = 2_000;
const ATTEMPTS_MAX = 2;
const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** The addresses of a host name; none if it has none. Rejects when DNS does not answer. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks DNS for the A and AAAA records of exactly this name: no hosts file, no search domains.
 *
 * @param servers the resolvers; default: those of the system.
 */
export function createDnsResolve(servers: readonly string[] = []): Resolve {
  return async (name, signal) => {
    const resolver = new Resolver({ timeout: ATTEMPT_MS_MAX, tries: ATTEMPTS_MAX });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
      const addresses = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? answer.value : [],
      );
      if (addresses.length === 0) {
        for (const answer of answers) {
          if (answer.status === 'rejected' && !hasNoAddress(answer.reason)) throw answer.reason;
        }
      }
      return addresses;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

function hasNoAddress(error: unknown): boolean {
  return NO_SUCH_NAME.has(String(errorCode(error)));
}
