import { BOUNDS } from './bounds.ts';
import type { Attributes } from './markup.ts';

/** An item of microdata or RDFa Lite, in the form of JSON-LD: `@type`, and arrays of values. */
export type Item = Record<string, unknown[]>;

/** The attribute with the value of a property, by element; other elements state it as text. */
const VALUE_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ...['a', 'area', 'link'].map((name): [string, string] => [name, 'href']),
  ...['audio', 'embed', 'iframe', 'img', 'source', 'track', 'video'].map(
    (name): [string, string] => [name, 'src'],
  ),
  ['object', 'data'],
  ['data', 'value'],
  ['meter', 'value'],
  ['time', 'datetime'],
]);

/** Collects the items of a page while its elements open and close (HTML 5.2; RDFa Lite 1.1). */
export class ItemReader {
  /** Items that are not the value of a property. */
  readonly top: Item[] = [];
  readonly #open: { readonly item: Item; readonly depth: number }[] = [];
  #count = 0;

  /** @returns where the text of the element goes, if it is the value of a property. */
  open(name: string, attributes: Attributes, depth: number): ((text: string) => void) | undefined {
    const properties = propertiesOf(attributes);
    const parent = this.#open.at(-1)?.item;
    const types = attributes.itemtype ?? attributes.typeof;
    if (attributes.itemscope !== undefined || attributes.typeof !== undefined) {
      this.#count += 1;
      if (this.#count > BOUNDS.things || this.#open.length > BOUNDS.thingDepth) return undefined;
      const item: Item = newItem();
      append(item, ['@type'], ...split(types ?? ''));
      const id = attributes.itemid ?? attributes.resource;
      if (id !== undefined) append(item, ['@id'], id);
      if (parent === undefined || properties.length === 0) this.top.push(item);
      else append(parent, properties, item);
      this.#open.push({ item, depth });
      return undefined;
    }
    if (parent === undefined || properties.length === 0) return undefined;
    const value = statedValue(name, attributes);
    if (value === undefined) return (text) => append(parent, properties, text);
    append(parent, properties, value);
    return undefined;
  }

  close(depth: number): void {
    if (this.#open.at(-1)?.depth === depth) this.#open.pop();
  }
}

function newItem(): Item {
  return { __proto__: null } as unknown as Item;
}

function propertiesOf({ itemprop, property }: Attributes): readonly string[] {
  // Open Graph has the same attribute; its names have a prefix.
  if (itemprop === undefined && property?.includes(':') !== false) return [];
  return split(itemprop ?? property ?? '');
}

function split(text: string): readonly string[] {
  return text.slice(0, BOUNDS.nameLength).split(/\s/u).filter(Boolean).slice(0, 5);
}

function statedValue(name: string, attributes: Attributes): string | undefined {
  if (attributes.content !== undefined) return attributes.content;
  return attributes[VALUE_ATTRIBUTES.get(name) ?? ''];
}

function append(item: Item, properties: readonly string[], ...values: readonly unknown[]): void {
  for (const property of properties) {
    item[property] ??= [];
    if (item[property].length < BOUNDS.values) item[property].push(...values);
  }
}
