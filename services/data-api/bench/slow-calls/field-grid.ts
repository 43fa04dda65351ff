import { operatorsOf } from '@vcds/odata-query';
import type { Resource, ResourceField } from '../../src/resources/index.ts';
import { quoteText } from '../collections/quote-text.ts';
import { httpGet } from '../http-get.ts';
import type { SlowCall } from './calls.ts';
import { COLLECTIONS } from './collections.ts';

/** Records whose values are asked for. */
const SAMPLE = 1_000;

type Value = string | number | boolean;

/**
 * Pages and counts of each collection by one condition on each of its fields: the most frequent and a rare value of a
 * sample, each operator, and patterns; in the order of the collection and by its first field that sorts.
 */
export async function fieldGrid(root: string, key: string): Promise<readonly SlowCall[]> {
  const calls: SlowCall[] = [];
  for (const [path, resource] of COLLECTIONS) {
    const records = await recordsOf(`${root}${path}?$top=${SAMPLE}`, key);
    for (const field of resource.fields.values()) {
      if (!field.filterable) continue;
      for (const filter of conditionsOn(field, records)) {
        calls.push(...callsOf(path, resource, filter));
      }
    }
  }
  return calls;
}

async function recordsOf(url: string, key: string): Promise<readonly Record<string, unknown>[]> {
  const { status, text } = await httpGet(url, { headers: { 'X-Api-Key': key } });
  if (status !== 200) throw new Error(`${url} has the status ${status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

function callsOf(path: string, { fields }: Resource, filter: string): SlowCall[] {
  const sorted = [...fields.values()].find(({ name, sortable }) => sortable && name !== 'Id');
  const base = `${path}?$filter=${encodeURIComponent(filter)}`;
  const about = `of ${path.slice(1)}, ${filter}`;
  return [
    { title: `page ${about}`, path: base },
    {
      title: `page by ${sorted?.name} ${about}`,
      path: `${base}&$orderby=${sorted?.name}%20desc`,
    },
    { title: `count ${about}`, path: `${base}&$count=true` },
  ];
}

function conditionsOn(
  field: ResourceField,
  records: readonly Record<string, unknown>[],
): readonly string[] {
  const { name } = field;
  const values = records.flatMap((record) => scalarsOf(record[name]));
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const ranked = [...counts].sort((one, other) => other[1] - one[1]).map(([value]) => value);
  const [frequent, rare] = [ranked[0], ranked.at(-1)];
  if (frequent === undefined || rare === undefined) return [];
  const literal = (value: Value) => literalOf(value, field);
  const middle = [...values].sort((a, b) => (a < b ? -1 : 1))[values.length >> 1] ?? frequent;
  const word = (value: Value) => String(value).slice(0, 5).replaceAll(/[%_']/g, '');
  const operators: readonly string[] = operatorsOf(field);
  const terms: readonly (readonly [operator: string, operand: string])[] = [
    ['eq', literal(frequent)],
    ['eq', literal(rare)],
    ['ne', literal(frequent)],
    ['ge', literal(middle)],
    ['lt', literal(middle)],
    ['in', `(${literal(frequent)},${literal(rare)})`],
    ['like', `'${word(frequent)}%'`],
    ['like', `'%${word(rare)}%'`],
    ...(field.notNull === true
      ? []
      : (['eq', 'ne'] as const).map((each) => [each, 'null'] as const)),
  ];
  return terms
    .filter(([operator]) => operators.includes(operator))
    .map((term) => `${name} ${term.join(' ')}`);
}

const UNQUOTED: ReadonlySet<string> = new Set(['date', 'instant', 'uuid']);

function literalOf(value: Value, { type }: ResourceField): string {
  return UNQUOTED.has(type) || typeof value !== 'string' ? String(value) : quoteText(value);
}

function scalarsOf(value: unknown): readonly Value[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar ? [value as Value] : [];
}
