import express from 'express';

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
