import { Random } from '@vcds/demo-data/random';

const SEED = 29;
const COINED_LENGTH = { min: 3, max: 14 } as const;
/** Words that at least so many names share are common; the others are invented. */
const COMMON_USES_MIN = 3;
const COMMON_SHARE = { first: 0.25, later: 0.75 } as const;

/**
 * Names that look like the ones given: as many words each, common words as common, and other
 * words coined letter by letter from the letters that follow each other there.
 */
export function* generatedNames(samples: readonly string[], count: number): Generator<string> {
  const random = new Random(SEED);
  const words = samples.map((name) => name.split(/\s+/u));
  const uses = new Map<string, number>();
  for (const word of words.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
  const common = words.flat().filter((word) => (uses.get(word) ?? 0) >= COMMON_USES_MIN);
  const followers = lettersAfter([...uses.keys()]);
  for (let made = 0; made < count; made += 1) {
    const name = random.pick(words).map((_, index) => {
      const share = index === 0 ? COMMON_SHARE.first : COMMON_SHARE.later;
      return random.unit() < share ? random.pick(common) : coined(followers, random);
    });
    yield name.join(' ');
  }
}

function lettersAfter(words: readonly string[]): Map<string, string[]> {
  const followers = new Map<string, string[]>();
  for (const word of words) {
    const letters = `^^${word.toLowerCase()}$`;
    for (let at = 2; at < letters.length; at += 1) {
      const before = letters.slice(at - 2, at);
      const known = followers.get(before);
      if (known === undefined) followers.set(before, [letters.charAt(at)]);
      else known.push(letters.charAt(at));
    }
  }
  return followers;
}

function coined(followers: ReadonlyMap<string, readonly string[]>, random: Random): string {
  let word = '';
  while (word.length < COINED_LENGTH.max) {
    const next = random.pick(followers.get(`^^${word}`.slice(-2)) ?? ['$']);
    if (next === '$' && word.length >= COINED_LENGTH.min) break;
    word = next === '$' ? '' : word + next;
  }
  return word.charAt(0).toUpperCase() + word.slice(1);
}
