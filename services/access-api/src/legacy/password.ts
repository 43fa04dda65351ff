import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@vcds/service-kit';

/**
 * The cost of a password (RFC 7914): N = 2^15, r = 8, p = 1 take 32 MiB and about a tenth of a
 * second. Each hash contains its own parameters, so that these can be raised.
 */
export const SCRYPT: ScryptCost = Object.freeze({ costLog2: 15, blockSize: 8, parallelism: 1 });

/** Parameters of scrypt; `costLog2` is the binary logarithm of N. */
export interface ScryptCost {
  readonly costLog2: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The memory of scrypt at most: twice the need of the parameters above. */
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;
const SHAPE =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([A-Za-z\d+/]{16,86})\$([A-Za-z\d+/]{43})$/;

/** Hashes run on libuv's four threads, which DNS look-ups and files need too. */
const CONCURRENCY = 2;
/** 5 s of work for two threads; more comparisons are rejected. */
const WAITING_MAX = 100;

/** A stored password: `$scrypt$ln=15,r=8,p=1$salt$hash`. */
export type PasswordHash = string & { readonly brand: 'PasswordHash' };

/** The hash of a password with a new salt. */
export async function hashPassword(password: string, cost = SCRYPT): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  const { costLog2, blockSize, parallelism } = cost;
  const hash = await derive(password, salt, costLog2, blockSize, parallelism);
  const texts = [salt, hash].map((bytes) => bytes.toString('base64').replace(/(?<!=)=+$/, ''));
  return `$scrypt$ln=${costLog2},r=${blockSize},p=${parallelism}$${texts.join('$')}` as PasswordHash;
}

/**
 * Whether a password is the one that was hashed; at most two are compared at the same time. Without
 * a hash it takes the same time and is false.
 *
 * @throws ApiError `unavailable` if a hundred comparisons already wait.
 */
export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

/** @param cost of the comparison for an unknown user; each stored hash contains its own. */
export function createPasswordCheck(cost = SCRYPT) {
  const dummyHash = hashPassword(randomBytes(SALT_BYTES).toString('hex'), cost);
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < CONCURRENCY) {
      running += 1;
      return;
    }
    if (waiting.length >= WAITING_MAX) {
      throw new ApiError('unavailable', 'Too many passwords to check; retry later.');
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  // Passes the slot to the next one in the queue, which keeps the order.
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (password: string, hash: string | undefined): Promise<boolean> => {
    await enter();
    try {
      const isCorrect = await compare(password, hash ?? (await dummyHash));
      return isCorrect && hash !== undefined;
    } finally {
      leave();
    }
  };
}

async function compare(password: string, stored: string): Promise<boolean> {
  const [, costLog2, blockSize, parallelism, salt = '', hash = ''] = SHAPE.exec(stored) ?? [];
  if (hash === '') throw new Error('A stored password is malformed.');
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
