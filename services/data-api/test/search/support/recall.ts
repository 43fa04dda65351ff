import { Random } from '@vcds/demo-data/random';
import { foldName } from '@vcds/name-search';
import { nameChanges } from './name-changes.ts';
import { shuffled } from './shuffled.ts';
import { Sources } from './sources.ts';

/** A search under measurement: the names it finds, best first, at most ten. */
export type Finder = (query: string) => Promise<readonly string[]>;

/** A query with the name it was made of. */
export interface ChangedName {
  readonly change: string;
  readonly name: string;
  readonly query: string;
  /** Whether it can come from this name only. */
  readonly isAnswerable: boolean;
}

/** Shares of queries: the record meant came first, or among ten. */
export interface Recall {
  readonly queries: number;
  readonly first: number;
  readonly amongTen: number;
}

/** Which half of a set: scoring was tuned on one and is reported on the other. */
export type Half = 'tune' | 'report';

const HALF_SEED = 7;
const CHANGE_SEEDS: Readonly<Record<Half, number>> = { tune: 11, report: 13 };
const FINDERS_AT_ONCE = 2;

/** The names of one half of a set, always the same ones. */
export function halfOf(names: readonly string[], half: Half): string[] {
  const mixed = shuffled(new Random(HALF_SEED), names);
  const middle = Math.floor(mixed.length / 2);
  return half === 'tune' ? mixed.slice(0, middle) : mixed.slice(middle);
}

/** At most `perChange` queries of each kind of change from one half, the same at every run. */
export function changedNames(
  names: readonly string[],
  half: Half,
  perChange: number,
): readonly ChangedName[] {
  const random = new Random(CHANGE_SEEDS[half]);
  const mine = halfOf(names, half);
  const sources = new Sources(names);
  return nameChanges.flatMap(([change, apply]) =>
    shuffled(random, mine)
      .slice(0, perChange)
      .flatMap((name) => {
        const query = apply(name, random, names);
        if (query === null) return [];
        return [{ change, name, query, isAnswerable: sources.isAnswerable(change, query, name) }];
      }),
  );
}

/** The place of the name meant among those found: 0 is first, -1 not among ten. */
export async function placesOf(
  queries: readonly { readonly query: string; readonly name: string }[],
  find: Finder,
): Promise<number[]> {
  const places: number[] = [];
  for (let start = 0; start < queries.length; start += FINDERS_AT_ONCE) {
    const batch = queries.slice(start, start + FINDERS_AT_ONCE);
    const found = await Promise.all(batch.map(({ query }) => find(query)));
    batch.forEach(({ name }, index) => {
      const meant = foldName(name);
      places.push((found[index] ?? []).findIndex((each) => foldName(each) === meant));
    });
  }
  return places;
}

/** The shares of some places. */
export function recallOf(places: readonly number[]): Recall {
  const share = (hit: (place: number) => boolean) =>
    places.length === 0 ? 1 : places.filter(hit).length / places.length;
  return {
    queries: places.length,
    first: share((place) => place === 0),
    amongTen: share((place) => place >= 0),
  };
}
