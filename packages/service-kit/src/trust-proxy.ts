import express, { type Express, type Request } from 'express';

/** More proxies than stand before any service: a longer number is a mistake. */
const PROXIES_MAX = 20;

/** The value of Express's `trust proxy` setting for TRUST_PROXY. */
export function trustProxySetting(value: string | undefined): string | number | boolean {
  if (value === undefined || value === 'false') return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}

/**
 * Whether TRUST_PROXY can be taken: `false`, a number of proxies, or addresses and subnets, judged
 * by Express itself. Not `true`: proxies append to what a caller claims, so that believing all of
 * it would let every caller choose its own address and scheme.
 */
export function isTrustProxy(value: string): boolean {
  const setting = trustProxySetting(value);
  if (typeof setting === 'number') return setting <= PROXIES_MAX;
  try {
    express().set('trust proxy', setting);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes `protocol`, and `secure` with it, what the outermost trusted proxy says: Express reads the
 * first entry of X-Forwarded-Proto, which is the caller's own where proxies append to the header.
 * As many entries count, from the right, as TRUST_PROXY trusts proxies.
 */
export function readTrustedProtocol(app: Express): void {
  Object.defineProperty(app.request, 'protocol', {
    configurable: true,
    get(this: Request): string {
      const direct = 'encrypted' in this.socket ? 'https' : 'http';
      const trust: (address: string | undefined, hop: number) => boolean =
        app.get('trust proxy fn');
      if (!trust(this.socket.remoteAddress, 0)) return direct;
      const said = this.get('X-Forwarded-Proto')?.split(',') ?? [];
      return (
        said
          .at(-Math.min(said.length, trustedProxies(this)))
          ?.trim()
          .toLowerCase() ?? direct
      );
    },
  });
}

// A number is how many there are; addresses are counted as far as X-Forwarded-For names trusted ones.
function trustedProxies(request: Request): number {
  const setting: unknown = request.app.get('trust proxy');
  return typeof setting === 'number' ? setting : Math.max(1, request.ips.length);
}
