import {
  type BoundValue,
  type CompareOperator,
  type FieldSpec,
  type FilterNode,
  type Literal,
  operatorsOf,
} from '@vcds/odata-query';
import fc from 'fast-check';
import { groupNode, literal } from '../src/ast.ts';
import { keywordNamed } from '../src/keyword.ts';
import type { Cell, Row } from './reference-evaluator.ts';

const two = (number: number): string => String(number).padStart(2, '0');

const day = fc
  .tuple(
    fc.integer({ min: 1, max: 9998 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) => `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`);

const decimals = fc.oneof(
  fc.constant(''),
  fc.stringMatching(/^[0-9]{1,6}$/).map((digits) => `.${digits}`),
);
const zone = fc.constantFrom('', 'Z', 'z', '+02:00', '-11:30', '+00:00');

const instant = fc
  .tuple(day, fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), decimals, zone)
  .map(([date, hour, minute, fraction, offset]) => {
    const seconds = fraction === '' ? '' : `:07${fraction}`;
    return `${date}T${two(hour)}:${two(minute)}${seconds}${offset}`;
  });

const numberText = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('+42', '-0', '5.00', '1e6', '-1.5E-3', '9007199254740993', '0123'),
);

const LITERALS: fc.Arbitrary<Literal> = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => literal('string', text, 0)),
  fc.string({ unit: 'binary' }).map((text) => literal('string', text, 0)),
  numberText.map((text) => literal('number', text, 0)),
  day.map((text) => literal('date', text, 0)),
  instant.map((text) => literal('instant', text, 0)),
  fc.uuid().map((text) => literal('uuid', text, 0)),
  fc.constantFrom('true', 'false').map((text) => literal('boolean', text, 0)),
  fc.constant(literal('null', 'null', 0)),
);

/** Names a filter can hold: dotted, underscored, in other scripts, but no keyword. */
const NAMES = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
    fc.constantFrom('Group.Name', 'constructor', '__proto__', 'Größe', '名前', 'eq1', '_'),
  )
  .filter((name) => keywordNamed(name) === undefined);

const COMPARE: readonly CompareOperator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];

const AT = { position: 0, operatorPosition: 0 } as const;

const TERMS: fc.Arbitrary<FilterNode> = fc.oneof(
  fc.tuple(NAMES, fc.constantFrom(...COMPARE), LITERALS).map(
    ([field, operator, value]): FilterNode => ({
      kind: 'compare',
      field,
      operator,
      value,
      ...AT,
    }),
  ),
  fc
    .tuple(NAMES, fc.boolean(), fc.array(LITERALS, { maxLength: 5 }))
    .map(([field, negated, values]): FilterNode => ({ kind: 'in', field, negated, values, ...AT })),
  fc.tuple(NAMES, fc.string({ unit: 'binary' })).map(
    ([field, text]): FilterNode => ({
      kind: 'like',
      field,
      pattern: literal('string', text, 0),
      ...AT,
    }),
  ),
);

/** Trees as the parser makes them, of any fields and values, up to six levels deep. */
export const filterNodes: fc.Arbitrary<FilterNode> = treesOf(TERMS);

function treesOf(terms: fc.Arbitrary<FilterNode>): fc.Arbitrary<FilterNode> {
  return fc.letrec<{ node: FilterNode }>((tie) => {
    const several = fc.array(tie('node'), { minLength: 2, maxLength: 4 });
    return {
      node: fc.oneof(
        { maxDepth: 6, depthSize: 'small' },
        terms,
        several.map((operands) => groupNode('and', operands, 0)),
        several.map((operands) => groupNode('or', operands, 0)),
        tie('node').map((operand): FilterNode => ({ kind: 'not', operand, position: 0 })),
      ),
    };
  }).node;
}

const FEW_WORDS = ['ai', 'AI', 'fintech', 'Fin Tech', 'café', 'cafe', "O'Neil", '100%', ''];

/** A handful of values of each type, so that filters and rows meet often. */
function literalsFor(field: FieldSpec): readonly Literal[] {
  const of = (type: Literal['type'], texts: readonly string[]): Literal[] =>
    texts.map((text) => literal(type, text, 0));
  switch (field.type) {
    case 'uuid':
      return of('uuid', UUIDS);
    case 'text':
      return of('string', FEW_WORDS);
    case 'keywords':
      return of('string', ['ai', 'fintech -ai', '"fin tech"', 'ai or cafe']);
    case 'date':
      return [...of('date', DAYS), ...of('string', DAYS)];
    case 'instant':
      return [
        ...of('instant', ['2012-02-29T00:00Z', '2012-02-29T02:00+02:00']),
        ...of('date', DAYS),
      ];
    case 'boolean':
      return of('boolean', ['true', 'false']);
    case 'closed':
      return of(
        'string',
        (field.closed ?? []).flatMap(({ name, slug, label }) => [name, slug, label]),
      );
    default:
      return [...of('number', ['0', '1', '2', '3', '-1', '2.0']), ...of('string', ['1'])];
  }
}

const UUIDS = ['00000000-0000-4000-8000-000000000001', 'A0000000-0000-4000-8000-000000000002'];
const DAYS = ['2012-02-28', '2012-02-29', '2012-03-01'];

function cellValuesFor(field: FieldSpec): readonly BoundValue[] {
  switch (field.type) {
    case 'uuid':
      return UUIDS.map((id) => id.toLowerCase());
    case 'text':
      return FEW_WORDS;
    case 'keywords':
      return ['AI for fintech', 'fin tech', 'Café'];
    case 'date':
      return DAYS;
    case 'instant':
      return ['2012-02-29T00:00:00Z', '2012-02-29T00:00:00.000001Z', '2012-02-28T23:59:59.999999Z'];
    case 'boolean':
      return [true, false];
    case 'closed':
      return (field.closed ?? []).map(({ value }) => value);
    default:
      return [-1, 0, 1, 2, 3];
  }
}

/** Terms that bind against the fields given. */
export function termsOn(fields: readonly FieldSpec[]): fc.Arbitrary<FilterNode> {
  return fc.constantFrom(...fields.filter((field) => field.filterable)).chain(termOn);
}

function termOn(field: FieldSpec): fc.Arbitrary<FilterNode> {
  const at = { field: field.name, ...AT };
  const values = fc.constantFrom(...literalsFor(field));
  const valuesOrNull =
    field.type === 'keywords' ? values : fc.oneof(values, fc.constant(literal('null', 'null', 0)));
  return fc.constantFrom(...operatorsOf(field)).chain((operator): fc.Arbitrary<FilterNode> => {
    switch (operator) {
      case 'in':
      case 'notin':
        return fc.array(valuesOrNull, { maxLength: 4 }).map((list): FilterNode => {
          return { kind: 'in', ...at, negated: operator === 'notin', values: list };
        });
      case 'like':
        return fc
          .constantFrom('a', 'A%', '%i', '_i', '%é', '100\\%', '%n%t_c%', '')
          .map((text) => literal('string', text === '' ? 'x' : text, 0))
          .map((pattern): FilterNode => ({ kind: 'like', ...at, pattern }));
      default:
        return (operator === 'eq' || operator === 'ne' ? valuesOrNull : values).map(
          (value): FilterNode => ({ kind: 'compare', ...at, operator, value }),
        );
    }
  });
}

/** Filters that bind against the fields given. */
export function filtersOn(fields: readonly FieldSpec[]): fc.Arbitrary<FilterNode> {
  return treesOf(termsOn(fields));
}

/** Rows of the fields given, nulls and empty lists among them. */
export function rowsOf(fields: readonly FieldSpec[]): fc.Arbitrary<Row> {
  const cells: Record<string, fc.Arbitrary<Cell>> = {};
  for (const field of fields) {
    const values = fc.constantFrom(...cellValuesFor(field));
    cells[field.name] =
      field.many === true
        ? fc.uniqueArray(values, { maxLength: 3 })
        : fc.oneof({ weight: 3, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) });
  }
  return fc.record(cells);
}
