import { decodeHTML } from 'entities';
import { BOUNDS } from './bounds.ts';
import { parseLenientJson } from './lenient-json.ts';
import type { Markup } from './markup.ts';
import { collapse } from './text.ts';

type Data = Readonly<Record<string, unknown>>;

/** An object of structured data: a node of JSON-LD, or an item of microdata or RDFa Lite. */
export interface Thing {
  /** The way to it on the page, such as `json-ld NewsArticle.publisher`. */
  readonly source: string;
  readonly types: readonly string[];
  readonly data: Data;
}

/** The structured data of a page. */
export interface Things {
  /** Those that are not the value of a property, in document order. */
  readonly top: readonly Thing[];
  /** Their data by `@id`. */
  readonly byId: ReadonlyMap<string, Data>;
  /** The values and characters that the rules may still read; then nothing has a value. */
  readonly left: { values: number; characters: number };
}

export function readThings({ jsonLd, items }: Markup): Things {
  const roots = jsonLd.map(parseLenientJson).flatMap(nodesOf).slice(0, BOUNDS.things);
  const top = [
    ...roots.map((data) => thingOf('json-ld', data)),
    ...items.map((data) => thingOf('microdata', data)),
  ];
  const byId = new Map<string, Data>();
  for (const { data } of top) {
    const id = data['@id'];
    if (typeof id === 'string' && !byId.has(id)) byId.set(id, data);
  }
  return { top, byId, left: { values: BOUNDS.valuesRead, characters: BOUNDS.charactersRead } };
}

/** The objects that a property of a thing has as values; a reference stands for its object. */
export function thingsAt(things: Things, thing: Thing, property: string): readonly Thing[] {
  const { byId, left } = things;
  return valuesOf(thing.data, property).flatMap((value) => {
    left.values -= 1;
    if (!isData(value) || left.values < 0) return [];
    const id = value['@id'];
    const data = (typeof id === 'string' ? byId.get(id) : undefined) ?? value;
    return [{ source: `${thing.source}.${property}`, types: typesOf(data), data }];
  });
}

/** The texts that a property of a thing has as values, in plain text. */
export function textsAt({ left }: Things, { data }: Thing, property: string): readonly string[] {
  return valuesOf(data, property).flatMap((value) => {
    const stated = isData(value) ? value['@value'] : value;
    if (typeof stated !== 'string' && typeof stated !== 'number') return [];
    const part = String(stated).slice(0, BOUNDS.textLength);
    left.values -= 1;
    left.characters -= part.length;
    if (left.values < 0 || left.characters < 0) return [];
    const text = collapse(decodeHTML(part));
    return text === '' ? [] : [text];
  });
}

export function hasType({ types }: Thing, pattern: RegExp): boolean {
  return types.some((type) => pattern.test(type));
}

function thingOf(format: string, data: Data): Thing {
  const types = typesOf(data);
  return { source: `${format} ${types[0] ?? 'Thing'}`, types, data };
}

/** The names of the types, without their vocabulary. */
function typesOf(data: Data): readonly string[] {
  return valuesOf(data, '@type').flatMap((type) =>
    typeof type === 'string' ? [type.slice(-BOUNDS.nameLength).replace(/^.*[/#:]/u, '')] : [],
  );
}

function nodesOf(value: unknown): readonly Data[] {
  // Only so deep, because a block may nest as deep as it is long.
  return [value]
    .flat(3)
    .filter(isData)
    .flatMap(({ '@graph': graph, ...rest }) => {
      const nodes = [graph].flat(3).filter(isData);
      return Object.keys(rest).every((key) => key === '@context') ? nodes : [rest, ...nodes];
    });
}

/** The values of a property, which may have the prefix of the vocabulary. */
function valuesOf(data: Data, property: string): readonly unknown[] {
  const name = [property, `schema:${property}`].find((each) => Object.hasOwn(data, each));
  if (name === undefined) return [];
  const value = data[name];
  if (!Array.isArray(value)) return [value];
  const first = (list: readonly unknown[]) => list.slice(0, BOUNDS.values);
  return first(first(value).flatMap((each) => (Array.isArray(each) ? first(each) : [each])));
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
