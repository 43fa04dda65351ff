import { operatorsOf } from '@vcds/odata-query';
import type { Resource, ResourceField } from '../../src/resources/index.ts';
import { quoteText } from '../collections/quote-text.ts';
import { httpGet } from '../http-get.ts';
import type { SlowCall } from './calls.ts';
import { COLLECTIONS } from './collections.ts';

/** Records whose values are asked for. */
const SAMPLE = 1_000;

type Fields = Readonly<Record<string, unknown>>;
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

/**
 * Pages and counts of each collection by conditions on two of its fields, for each pair of fields: the most
 * frequent value, or at least the middle one, of a sample.
 */
export async function pairGrid(root: string, key: string): Promise<readonly SlowCall[]> {
  const calls: SlowCall[] = [];
  for (const [path, resource] of COLLECTIONS) {
    const records = await recordsOf(`${root}${path}?$top=${SAMPLE}`, key);
    const fields = [...resource.fields.values()].filter(({ filterable }) => filterable);
    const conditions = fields.flatMap((field) => frequentCondition(field, records) ?? []);
    for (const [index, one] of conditions.entries()) {
      for (const other of conditions.slice(index + 1)) {
        calls.push(...callsOf(path, resource, `${one} and ${other}`));
      }
    }
  }
  return calls;
}

function frequentCondition(field: ResourceField, records: readonly Fields[]): string | undefined {
  if (field.type === 'keywords') return `${field.name} eq '${frequentWord(records)}'`;
  const conditions = conditionsOn(field, records);
  return conditions.find((each) => each.startsWith(`${field.name} ge `)) ?? conditions[0];
}

function frequentWord(records: readonly Fields[]): string {
  const words = records.flatMap(({ Description: text }) => String(text).match(/[a-z]{6,}/g) ?? []);
  return rankedOf(words)[0] ?? 'company';
}

async function recordsOf(url: string, key: string): Promise<readonly Fields[]> {
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

/** The different values, the most frequent first. */
function rankedOf<V extends Value>(values: readonly V[]): readonly V[] {
  const counts = new Map<V, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([value]) => value);
}

function conditionsOn(field: ResourceField, records: readonly Fields[]): readonly string[] {
  const { name } = field;
  const values = records.flatMap((record) => scalarsOf(record[name]));
  const ranked = rankedOf(values);
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
