import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Html, html } from './html.ts';

const BYTES = 32;
/** The field that carries the token. */
export const FORM_TOKEN_FIELD = 'form_token';

/**
 * A form's token: proof that the form was made for whoever holds the cookie with this secret. It
 * is masked anew each time, so that nothing can be learned from how well a page compresses.
 */
export function formToken(secret: string): string {
  const mask = randomBytes(BYTES);
  return Buffer.concat([mask, xor(mask, proofOf(secret))]).toString('base64url');
}

/** The token as the hidden field of a form. */
export function formTokenField(secret: string): Html {
  return html`<input type="hidden" name="${FORM_TOKEN_FIELD}" value="${formToken(secret)}">`;
}

/** Whether a token was made for this secret; takes the same time wherever they differ. */
export function isFormToken(secret: string, token: string | null): boolean {
  const bytes = Buffer.from(token ?? '', 'base64url');
  if (bytes.byteLength !== 2 * BYTES) return false;
  const proof = xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES));
  return timingSafeEqual(proof, proofOf(secret));
}

function proofOf(secret: string): Buffer {
  return createHmac('sha256', secret).update('form of the account area').digest();
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)));
}
