import express, { type Express, type Request } from 'express';

/** A larger number of proxies is a mistake. */
const PROXIES_MAX = 20;

/** The value of Express's `trust proxy` setting for TRUST_PROXY. */
export function trustProxySetting(value: string | undefined): string | number | boolean {
  if (value === undefined || value === 'false') return false;
  return /^\d+$/.test(value) ? Number(value) : value;
}

/**
 * Whether TRUST_PROXY is valid: `false`, a number of proxies, or addresses and subnets that Express
 * accepts. Not `true`: proxies append to the headers of a caller, so that with `true` every caller
 * could choose its own address and scheme.
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
 * Makes `protocol`, and thereby `secure`, the value of the outermost trusted proxy. Express reads
 * the first entry of X-Forwarded-Proto, which is the caller's own if proxies append to the header.
 * The trusted entries are the last ones, as many as there are trusted proxies.
 */
export function readTrustedProtocol(app: Express): void {
  Object.defineProperty(app.request, 'protocol', {
    configurable: true,
    get(this: Request): string {
      const direct = 'encrypted' in this.socket ? 'https' : 'http';
      const trust: (address: string | undefined, hop: number) => boolean =
        app.get('trust proxy fn');
      if (!trust(this.socket.remoteAddress, 0)) return direct;
      const entries = this.get('X-Forwarded-Proto')?.split(',') ?? [];
      return (
        entries
          .at(-Math.min(entries.length, trustedProxies(this)))
          ?.trim()
          .toLowerCase() ?? direct
      );
    },
  });
}

// TRUST_PROXY is their number, or they are the trusted addresses in X-Forwarded-For.
function trustedProxies(request: Request): number {
  const setting: unknown = request.app.get('trust proxy');
  return typeof setting === 'number' ? setting : Math.max(1, request.ips.length);
}
