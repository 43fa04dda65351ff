import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** An RSA key pair of the fixtures, for tests alone: generating one takes up to half a second. */
export interface TestRsaKey {
  /** The private key in PEM (PKCS #8). */
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** One of four fixed keys of 2,048 bits, or the `weak` one of 1,024. */
export function testRsaKey(name: 0 | 1 | 2 | 3 | 'weak' = 0): TestRsaKey {
  const pem = readFileSync(new URL(`../fixtures/rsa-${name}.pem`, import.meta.url), 'utf8');
  return { pem, privateKey: createPrivateKey(pem), publicKey: createPublicKey(pem) };
}
