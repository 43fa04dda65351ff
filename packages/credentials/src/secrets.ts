const LENGTH_MIN = 32;
/** Fewer different characters than this are not random: 64 hexadecimal digits have about 16. */
const CHARACTERS_MIN = 8;

/** One or more secrets, the current one first. */
export type SecretList = readonly [string, ...string[]];

/**
 * The secrets of a variable, separated by commas; space around them is ignored. The first one is
 * used for everything new, all are accepted, so that a secret is replaced without downtime
 * (docs/security.md).
 *
 * @throws RangeError without any of the text, if one is shorter than 32 characters, has fewer than
 *   8 different ones, or occurs twice.
 */
export function parseSecrets(text: string): SecretList {
  const [first = '', ...others] = text.split(',').map((secret) => secret.trim());
  const all: SecretList = [first, ...others];
  if (!all.every(isStrong)) {
    throw new RangeError(`A secret must have at least ${LENGTH_MIN} random characters.`);
  }
  if (new Set(all).size < all.length) throw new RangeError('A secret must occur only once.');
  return all;
}

/** A required variable for secrets that `parseSecrets` accepts. */
export function secretsVariable(description: string) {
  return {
    type: 'string',
    required: true,
    accepts: isSecretList,
    expected: `one or more different secrets of at least ${LENGTH_MIN} random characters, the
 current one first, separated by commas`.replace('\n', ''),
    description,
  } as const;
}

function isStrong(secret: string): boolean {
  return secret.length >= LENGTH_MIN && new Set(secret).size >= CHARACTERS_MIN;
}

function isSecretList(text: string): boolean {
  try {
    parseSecrets(text);
    return true;
  } catch {
    return false;
  }
}
