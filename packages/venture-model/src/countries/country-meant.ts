import { editDistance } from '@vcds/odata-query';
import { canonicalCountry, namesOfCountries } from './countries.ts';
import { foldCountry } from './fold-country.ts';

/** A longer text misspells no name. */
const LENGTH_MAX = 50;
const MISTAKES_MAX = 2;
/** Letters for each mistake: `Frankrich` and `Germny` have one. */
const LETTERS_PER_MISTAKE = 5;

/** The meaning of a text that is no stored country. */
interface CountryMeant {
  readonly country: string;
  /** Whether the text is a name of it, and no misspelling of one. */
  readonly isName: boolean;
}

/**
 * The country that a text names, also with its words in another order (`Korea North`), or else the one whose name in any
 * language it misspells by the fewest letters, after the same first letter: `Deutchland`, `Oesterreich`.
 *
 * @returns undefined if none is near, or several are equally near; also for a name of two countries (`Kongo`).
 */
export function countryMeant(text: string): CountryMeant | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const words = foldCountry(text).split(' ');
  const orders = words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(' '));
  const named = [text, ...orders].map(canonicalCountry).find((each) => each !== undefined);
  if (named !== undefined) return { country: named, isName: true };
  const { english, others, shared } = namesOfCountries();
  const [folded = ''] = orders;
  if (shared.has(folded)) return undefined;
  const country = nearestIn(english, folded) ?? nearestIn(others, folded);
  return country === undefined ? undefined : { country, isName: false };
}

function nearestIn(names: ReadonlyMap<string, string>, folded: string): string | undefined {
  const most = Math.min(MISTAKES_MAX, Math.floor(folded.length / LETTERS_PER_MISTAKE));
  let bound = most;
  let found = new Set<string>();
  for (const [name, country] of names) {
    if (name[0] !== folded[0] || name.length <= LETTERS_PER_MISTAKE - 1) continue;
    const mistakes = editDistance(folded, name, bound);
    if (mistakes > bound) continue;
    if (mistakes < bound) found = new Set();
    bound = mistakes;
    found.add(country);
  }
  return found.size === 1 && most > 0 ? [...found][0] : undefined;
}
