import { createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 16;

/**
 * Encodes bytes as base64url text, authenticated with HMAC-SHA-256 that is cut to 128 bits.
 *
 * @param secrets the first encodes, all of them decode, so that one can be replaced.
 * @param purpose text of one purpose is not valid for another one.
 * @param length of the bytes.
 * @param lengthMax of the bytes, if the length varies.
 * @throws RangeError without a secret.
 */
export function createByteCodec(
  secrets: readonly string[],
  purpose: string,
  length: number,
  lengthMax = length,
) {
  const [first] = secrets;
  if (first === undefined) throw new RangeError('A cursor codec requires a secret.');
  const macOf = (secret: string, bytes: Buffer): Buffer =>
    createHmac('sha256', secret)
      .update(`${purpose}\0`)
      .update(bytes)
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    encode: (bytes: Buffer): string =>
      Buffer.concat([bytes, macOf(first, bytes)]).toString('base64url'),
    /** Undefined for every text that these secrets did not authenticate, down to the last bit. */
    decode(text: string): Buffer | undefined {
      const all = Buffer.from(text, 'base64url');
      // Base64 decoding ignores padding and stray bits: accept only the canonical text.
      const end = all.length - MAC_BYTES;
      if (end < length || end > lengthMax || all.toString('base64url') !== text) return undefined;
      const bytes = all.subarray(0, end);
      const mac = all.subarray(end);
      if (!secrets.some((secret) => timingSafeEqual(macOf(secret, bytes), mac))) return undefined;
      return bytes;
    },
  };
}
