import type { Rules } from './connector.ts';
import { notPublic, OutboundError } from './outbound-error.ts';
import type { FetchOptions, Page } from './page.ts';
import { isPublicAddress } from './public-address.ts';
import { requestOnce } from './request-once.ts';
import { createDnsResolve, type Resolve } from './resolve.ts';
import { targetOf } from './target.ts';
import type { TestAddress } from './test-address.ts';
import { untilAborted } from './until-aborted.ts';

const TIMEOUT_MS = 10_000;
const CONNECT_MS = 4_000;
const REDIRECTS_MAX = 5;
const PORTS: ReadonlySet<number> = new Set([80, 443]);
export interface OutboundClientOptions {
  /** The header User-Agent of every request. */
  readonly userAgent: string;
  /** Default: DNS, with the resolvers of the system. */
  readonly resolve?: Resolve | undefined;
  /** Only in tests: connects every name to this address, without DNS and without its check. */
  readonly testAddress?: TestAddress | undefined;
  /** Default 10,000; see {@link FetchOptions}. */
  readonly timeoutMs?: number | undefined;
  /** Of name resolution, TCP and TLS of one connection together; default 4,000. */
  readonly connectMs?: number | undefined;
}

export interface OutboundClient {
  /**
   * Requests a URL, and follows at most five redirects. Connects to public addresses only, on
   * ports 80 and 443; certificates are verified. Sends no cookies, credentials or referrer, uses no
   * proxy, and closes every connection after its response.
   *
   * @throws OutboundError with the reason.
   */
  fetchPage(url: string, options?: FetchOptions): Promise<Page>;
}

/** The client for addresses that callers give. */
export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const { resolve = createDnsResolve(), testAddress } = options;
  return createClient(options, { isAllowed: isPublicAddress, ports: PORTS, resolve, testAddress });
}

/**
 * Checks the form of a URL, and its host if that is a literal address, as a request would.
 *
 * @throws OutboundError bad_url or address_not_public.
 */
export function assertPublicUrl(text: string): void {
  const { host, isLiteral } = targetOf(text, PORTS);
  if (isLiteral && !isPublicAddress(host)) throw notPublic();
}

/** {@link createOutboundClient} with other rules, for tests of what the rules prevent. */
export function createClient(
  clientOptions: OutboundClientOptions,
  rules: Rules & { readonly ports: ReadonlySet<number> },
): OutboundClient {
  const { userAgent, connectMs = CONNECT_MS } = clientOptions;
  const fetchPage = async (text: string, options: FetchOptions = {}): Promise<Page> => {
    const { timeoutMs = clientOptions.timeoutMs ?? TIMEOUT_MS, signal } = options;
    const limit = AbortSignal.timeout(timeoutMs);
    const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    const redirects: string[] = [];
    try {
      let target = targetOf(text, rules.ports);
      for (;;) {
        await untilAborted(Promise.resolve(options.beforeRequest?.(target.url)), stop);
        const response = await requestOnce(target, {
          ...{ ...options, userAgent, connectMs, rules, signal: stop },
        });
        if (!('redirectTo' in response)) return { ...response, redirects };
        redirects.push(target.url.href);
        target = targetOf(response.redirectTo, rules.ports, target.url);
        if (redirects.length > REDIRECTS_MAX || redirects.includes(target.url.href)) {
          throw new OutboundError('too_many_redirects', 'The site redirects too often.');
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!limit.aborted) throw error;
      throw new OutboundError('timeout', `The site did not respond within ${timeoutMs} ms.`);
    }
  };
  return { fetchPage };
}
