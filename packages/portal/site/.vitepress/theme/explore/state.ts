/** The choices of the reader, and the query of the page's address that has them. */
import { type Catalogue, ENTITIES, ENTITY_NAMES, type EntityName } from './entities.ts';

export interface ExploreState {
  readonly entity: EntityName;
  /** The key of the groups: of time, or a dimension. */
  readonly by: string;
  /** The name of the figure that is drawn. */
  readonly figure: string;
  /** The first year. */
  readonly since: number | undefined;
  /** By dimension; no list is empty. */
  readonly narrow: Readonly<Record<string, readonly string[]>>;
}

export const YEAR_MIN = 1980;
export const YEAR_MAX = 2100;
/** As in the API: values of one dimension, and their length. */
const VALUES_MAX = 50;
const VALUE_LENGTH_MAX = 200;

export function keysOf(
  entity: EntityName,
  catalogue: Catalogue,
): readonly (readonly [string, string])[] {
  const dimensions = catalogue.dimensions[entity].map(({ id, title }) => [id, title] as const);
  return [...Object.entries(ENTITIES[entity].times), ...dimensions];
}

/** The state of an entity of which nothing is chosen yet. */
export function startOf(entity: EntityName): ExploreState {
  const { times, figures } = ENTITIES[entity];
  const by = entity === 'rounds' || entity === 'valuations' ? Object.keys(times)[0] : 'country';
  return {
    ...{ entity, by: by ?? 'country', figure: figures[0]?.name ?? 'count' },
    ...{ since: undefined, narrow: {} },
  };
}

/** The state of an address; what it does not say, or says wrongly, is that of {@link startOf}. */
export function readState(query: string, catalogue: Catalogue): ExploreState {
  const parameters = new URLSearchParams(query);
  const asked = parameters.get('entity');
  const entity = ENTITY_NAMES.find((name) => name === asked) ?? 'rounds';
  const start = startOf(entity);
  const oneOf = (name: string, allowed: readonly string[], usual: string) =>
    allowed.find((each) => each === parameters.get(name)) ?? usual;
  const keys = keysOf(entity, catalogue).map(([key]) => key);
  const figures = ENTITIES[entity].figures.map(({ name }) => name);
  const narrow = catalogue.dimensions[entity].flatMap(({ id }) => {
    const values = readList(parameters.get(id) ?? '');
    return values.length === 0 ? [] : [[id, values] as const];
  });
  return {
    entity,
    by: oneOf('by', keys, start.by),
    figure: oneOf('figure', figures, start.figure),
    since: yearOf(parameters.get('since')),
    narrow: Object.fromEntries(narrow),
  };
}

/** The query of the address. `readState` of it is the same state. */
export function writeState({ entity, by, figure, since, narrow }: ExploreState): string {
  const parameters = new URLSearchParams({ entity, by, figure });
  if (since !== undefined) parameters.set('since', String(since));
  for (const [id, values] of Object.entries(narrow)) parameters.set(id, writeList(values));
  return parameters.toString();
}

export function yearOf(text: string | null): number | undefined {
  const year = /^\d{4}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return year >= YEAR_MIN && year <= YEAR_MAX ? year : undefined;
}

/** The state with a value chosen, or no longer. */
export function toggled(state: ExploreState, id: string, value: string): ExploreState {
  const { [id]: values = [], ...narrow } = state.narrow;
  const isChosen = values.includes(value);
  const next = isChosen ? values.filter((each) => each !== value) : [...values, value];
  if (next.length > VALUES_MAX) return state;
  return { ...state, narrow: next.length === 0 ? narrow : { ...narrow, [id]: next } };
}

/** A list in a parameter (docs/spec/categories.md 8.5). */
export function writeList(values: readonly string[]): string {
  return values
    .map((each) => (/[",]|^\s|\s$/.test(each) ? `"${each.replaceAll('"', '""')}"` : each))
    .join(',');
}

/** Different values that are not blank, the first 50. */
export function readList(text: string): string[] {
  const values = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim(),
  );
  const isValue = (value: string) => value.trim() !== '' && value.length <= VALUE_LENGTH_MAX;
  return [...new Set(values.filter(isValue))].slice(0, VALUES_MAX);
}
