import { foldedName, MEANT_LENGTH_MAX, nearest, singularName } from './nearest.ts';

/** A name that can be suggested. */
export interface KnownName {
  readonly name: string;
  /** Names in other systems. Only suggestions use them; no parser accepts them. */
  readonly synonyms?: readonly string[] | undefined;
}

/**
 * The names a caller may have meant, the likeliest first: the one that differs in case and
 * separators alone; else all that have the text as a synonym, singular or plural, in the order
 * given; else the {@link nearest}. Synonyms come before typing mistakes, because `Rounds` is
 * another system's word for something and not a mistyped `Region`.
 */
export function namesMeant(wanted: string, known: Iterable<KnownName>): readonly string[] {
  const names = [...known];
  const [same, ...synonymous] = namesOf(wanted, names);
  if (same !== undefined) return isSame(wanted, same) ? [same] : [same, ...synonymous];
  const near = nearest(
    wanted,
    names.map(({ name }) => name),
  );
  return near === undefined ? [] : [near];
}

/**
 * The name that differs in case and separators alone, then all that have the text as a synonym;
 * none for a mistyped text.
 */
export function namesOf(wanted: string, known: Iterable<KnownName>): readonly string[] {
  if (wanted.length > MEANT_LENGTH_MAX || foldedName(wanted) === '') return [];
  const singular = singularName(wanted);
  const [same, synonymous]: [string[], string[]] = [[], []];
  for (const { name, synonyms = [] } of known) {
    if (isSame(wanted, name)) same.push(name);
    else if (synonyms.some((each) => singularName(each) === singular)) synonymous.push(name);
  }
  return [...same, ...synonymous];
}

function isSame(wanted: string, name: string): boolean {
  return foldedName(wanted) === foldedName(name);
}
