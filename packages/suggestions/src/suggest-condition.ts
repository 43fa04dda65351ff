/** Suggests a condition of `$filter` for a parameter with the name of a field. */
import {
  type FieldSpec,
  type FieldTable,
  foldedName,
  namesMeant,
  namesOf,
  type Operator,
  operandMeant,
  operatorsOf,
} from '@vcds/odata-query';

/** The operators by affix of a name: `founded_gte`, `Founded[gt]`, `min_founded`. */
const OPERATOR_BY_AFFIX: ReadonlyMap<string, Operator> = new Map([
  ['gte', 'ge'],
  ['ge', 'ge'],
  ['min', 'ge'],
  ['from', 'ge'],
  ['since', 'ge'],
  ['after', 'gt'],
  ['gt', 'gt'],
  ['lte', 'le'],
  ['le', 'le'],
  ['max', 'le'],
  ['to', 'le'],
  ['until', 'le'],
  ['before', 'lt'],
  ['lt', 'lt'],
  ['ne', 'ne'],
  ['not', 'ne'],
  ['in', 'in'],
  ['like', 'like'],
  ['contains', 'like'],
  ['eq', 'eq'],
]);
/** Separators between a name and an affix. */
const SEPARATORS = /[_.[]/;
const NAME_LENGTH_MAX = 64;

/** A resource: what its records are filtered by, and the names of its relations. */
export interface SuggestedResource {
  readonly fields: FieldTable<FieldSpec>;
  readonly relations: ReadonlyMap<string, unknown>;
}

/** A condition, and whether the parameter has exactly the name of the field. */
export interface SuggestedCondition {
  readonly condition: string;
  readonly isExact: boolean;
}

/**
 * The condition for a parameter such as `City=London` or `founded_gte=2010`, on the most similar
 * field that accepts the value. Comma-separated values of a field with listed values become `in`.
 */
export function suggestCondition(
  name: string,
  value: string,
  resource: SuggestedResource | undefined,
  today: string,
): SuggestedCondition | undefined {
  if (resource === undefined || name.length > NAME_LENGTH_MAX) return undefined;
  const [leading, trailing] = cutAtLast(name);
  const [word, rest] = cutAtFirst(name);
  const usable = [...resource.fields.values()].filter(({ filterable }) => filterable);
  const readings: readonly (readonly [string, readonly string[], Operator | undefined])[] = [
    [name, namesOf(name, usable), undefined],
    ...[[leading, trailing] as const, [rest, word] as const].flatMap(([of, by]) => {
      const operator = OPERATOR_BY_AFFIX.get(by.toLowerCase());
      return operator === undefined ? [] : [[of, namesOf(of, usable), operator] as const];
    }),
    [name, namesMeant(name, usable), undefined],
  ];
  for (const [written, names, operator] of readings) {
    for (const meant of names) {
      const field = resource.fields.get(meant);
      const condition = field && conditionOn(field, operator, value, today);
      if (condition === undefined) continue;
      return { condition, isExact: foldedName(written) === foldedName(meant) };
    }
  }
  return undefined;
}

// `founded__gte`, `Founded[gte]`: the name, and the word after the last separator.
function cutAtLast(name: string): readonly [string, string] {
  const plain = name.endsWith(']') ? name.slice(0, -1) : name;
  const at = Math.max(...['_', '.', '['].map((separator) => plain.lastIndexOf(separator)));
  const before = plain.slice(0, Math.max(at, 0));
  return [before.endsWith('_') ? before.slice(0, -1) : before, plain.slice(at + 1)];
}

// `min_founded`: the word before the first separator, and the name.
function cutAtFirst(name: string): readonly [string, string] {
  const at = name.search(SEPARATORS);
  return at < 0 ? ['', ''] : [name.slice(0, at), name.slice(at + 1)];
}

function conditionOn(
  field: FieldSpec,
  wanted: Operator | undefined,
  value: string,
  today: string,
): string | undefined {
  const between = wanted === undefined ? betweenMeant(field, value, today) : undefined;
  if (between !== undefined) return between;
  const isList = isListed(field) && value.includes(',') && wanted === undefined;
  const operator = isList ? 'in' : (wanted ?? defaultOperator(field));
  if (!operatorsOf(field).includes(operator)) return undefined;
  const operand = operandMeant(value, operator, field, today);
  return operand === undefined ? undefined : `${field.name} ${operator} ${operand}`;
}

/** `2010-2015`, `1m..5m`, `2020-01-01 to 2020-12-31`. */
const BETWEEN = /\.{2,3}|–|—|\bto\b|\band\b/i;
const NUMBERS = /^([\d.,kmb]+)-([\d.,kmb]+)$/i;

function betweenMeant(field: FieldSpec, value: string, today: string): string | undefined {
  const operators = operatorsOf(field);
  if (!operators.includes('ge') || !operators.includes('le')) return undefined;
  const words = value.split(BETWEEN).map((each) => each.trim());
  const numbers = NUMBERS.exec(value.trim())?.slice(1) ?? [];
  for (const ends of [words, numbers]) {
    if (ends.length !== 2 || ends.includes('')) continue;
    const [least, most] = ends.map((each) => operandMeant(each, 'ge', field, today));
    if (least === undefined || most === undefined) continue;
    return `${field.name} ge ${least} and ${field.name} le ${most}`;
  }
  return undefined;
}

// A name is rarely written exactly as stored; a listed value is.
function defaultOperator(field: FieldSpec): Operator {
  if (field.type !== 'text' || isListed(field)) return 'eq';
  return operatorsOf(field).includes('like') ? 'like' : 'eq';
}

function isListed({ type, see }: FieldSpec): boolean {
  return type === 'closed' || see !== undefined;
}
