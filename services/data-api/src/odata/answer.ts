/** The bodies of the OData service: JSON with minimal metadata (docs/spec/odata.md 27.4). */
import { isObject } from '../tables/csv.ts';
import type { Nested } from './query.ts';
import type { EntitySet, Navigation } from './sets.ts';

/** The headers of a JSON body. */
export const JSON_HEADERS = {
  'Content-Type':
    'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8',
} as const;

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Where a body is from: the root of the service, and the entity set of its entities. */
export interface Origin {
  readonly root: string;
  readonly set: EntitySet;
}

/** The context URL of entities with these properties; of all, if none are selected. */
export function contextOf(
  { root, set }: Origin,
  selected: readonly string[] | undefined,
  isOne = false,
): string {
  const properties = selected === undefined ? '' : `(${selected.join(',')})`;
  return `${root}/$metadata#${set.name}${properties}${isOne ? '/$entity' : ''}`;
}

/**
 * A collection of entities.
 *
 * @param value the JSON text of the entities.
 */
export function collectionBody(
  context: string,
  value: string,
  {
    count,
    nextLink,
  }: { readonly count?: number | undefined; readonly nextLink?: string | undefined },
): string {
  const counted = count === undefined ? '' : `"@odata.count":${count},`;
  const next = nextLink === undefined ? '' : `,"@odata.nextLink":${JSON.stringify(nextLink)}`;
  return `{"@odata.context":${JSON.stringify(context)},${counted}"value":${value}${next}}`;
}

/** One entity from the JSON text of a record. */
export function entityBody(context: string, record: string): string {
  return `{"@odata.context":${JSON.stringify(context)},${record.slice(1)}`;
}

/** The properties in the context of a query with `$select`. */
export function selectedOf(
  fields: readonly { readonly name: string }[],
  expands: readonly { readonly name: string }[],
  nested: Nested,
): readonly string[] {
  return [
    ...fields.map(({ name }) => name),
    ...expands.map(({ name }) => `${name}(${nested.get(name)?.join(',') ?? ''})`),
  ];
}

/** The JSON text of entities with related ones, from that of records: names and links of OData. */
export function withRelated(
  text: string,
  { root, set }: Origin,
  navigations: readonly Navigation[],
  nested: Nested,
): string {
  const records: unknown = JSON.parse(text);
  const entityOf = (record: unknown): unknown => {
    if (!isObject(record)) return record;
    const entity: Record<string, unknown> = { ...record };
    for (const { name } of navigations) {
      const link = entity[`${name}@nextLink`];
      delete entity[`${name}@count`];
      delete entity[`${name}@nextLink`];
      entity[name] = picked(entity[name], nested.get(name));
      if (typeof link === 'string') {
        entity[`${name}@odata.nextLink`] = relatedLink({ root, set }, link, name);
      }
    }
    return entity;
  };
  return JSON.stringify(Array.isArray(records) ? records.map(entityOf) : entityOf(records));
}

/** Related entities with these properties only. */
export function picked(related: unknown, names: readonly string[] | undefined): unknown {
  if (names === undefined) return related;
  if (Array.isArray(related)) return related.map((each) => picked(each, names));
  if (!isObject(related)) return related;
  return Object.fromEntries(names.map((name) => [name, related[name] ?? null]));
}

// The link names the record and how many of its related ones were in this answer.
function relatedLink({ root, set }: Origin, link: string, name: string): string {
  const [id = ''] = ID.exec(link) ?? [];
  const [, skip = '0'] = /\$skip=(\d+)/.exec(decodeURIComponent(link)) ?? [];
  return `${root}/${set.name}(${id})/${name}?$skip=${skip}`;
}
