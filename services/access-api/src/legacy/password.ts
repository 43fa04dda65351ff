import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@vcds/service-kit';

/**
 * The cost of a password (RFC 7914): N = 2^15, r = 8, p = 1 take 32 MiB and about a tenth of a
 * second. Each hash says what it was made with, so that these may rise.
 */
export const SCRYPT = Object.freeze({ costLog2: 15, blockSize: 8, parallelism: 1 });
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** What scrypt may take: twice what the parameters above need. */
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;
const SHAPE =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([A-Za-z\d+/]{16,86})\$([A-Za-z\d+/]{43})$/;

/** Hashes run on libuv's four threads, which name look-ups and files need too. */
const AT_ONCE = 2;
/** More than take 5 s of two threads: whoever comes later would wait longer than it is worth. */
const WAITING_MAX = 100;

/** A password as it is kept: `$scrypt$ln=15,r=8,p=1$salt$hash`. */
export type PasswordHash = string & { readonly brand: 'PasswordHash' };

/** The hash of a password under a salt of its own. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  const { costLog2, blockSize, parallelism } = SCRYPT;
  const hash = await derive(password, salt, costLog2, blockSize, parallelism);
  const texts = [salt, hash].map((bytes) => bytes.toString('base64').replace(/(?<!=)=+$/, ''));
  return `$scrypt$ln=${costLog2},r=${blockSize},p=${parallelism}$${texts.join('$')}` as PasswordHash;
}

/** Compares passwords with hashes; never more than two at the same time. */
export interface PasswordCheck {
  /**
   * Whether the password is the one that was hashed. With no hash to compare with it takes as
   * long, and is false.
   *
   * @throws ApiError `unavailable` when a hundred are waiting already.
   */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

export function createPasswordCheck(): PasswordCheck {
  const nobodys = hashPassword(randomBytes(SALT_BYTES).toString('hex'));
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < AT_ONCE) {
      running += 1;
      return;
    }
    if (waiting.length >= WAITING_MAX) {
      throw new ApiError('unavailable', 'Too many passwords to check; retry once later.');
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  // Whoever leaves hands its place on, so that nobody overtakes those who wait.
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return {
    matches: async (password, hash) => {
      await enter();
      try {
        const isRight = await compare(password, hash ?? (await nobodys));
        return isRight && hash !== undefined;
      } finally {
        leave();
      }
    },
  };
}

async function compare(password: string, kept: string): Promise<boolean> {
  const [, costLog2, blockSize, parallelism, salt = '', hash = ''] = SHAPE.exec(kept) ?? [];
  if (hash === '') throw new Error('A password is kept in a form that cannot be read.');
  const found = await derive(
    password,
    Buffer.from(salt, 'base64'),
    Number(costLog2),
    Number(blockSize),
    Number(parallelism),
  );
  return timingSafeEqual(found, Buffer.from(hash, 'base64'));
}

// Composed characters, so that a password typed on another system is the same (RFC 8265 §4.2.2).
function derive(password: string, salt: Buffer, ln: number, r: number, p: number): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: MEMORY_BYTES_MAX };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}
