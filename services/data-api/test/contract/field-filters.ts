import type { Operator } from '@vcds/odata-query';
import { atLength } from '@vcds/test-kit';
import type { Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import type { ResourceField } from '../../src/resources/index.ts';
import { absentLiteral, literal, storedValues } from './literals.ts';

/** Filters that use an operator on a field: stored values, others, null, lists, patterns. */
export function filtersOf(
  field: ResourceField,
  operator: Operator,
  held: readonly Row[],
): string[] {
  const { name } = field;
  const values = storedValues(field, held, atLength(1, 2)).map((value) => literal(field, value));
  const absent = absentLiteral(field);
  const all = absent === undefined ? values : [...values, absent];
  if (field.type === 'keywords') return keywordFilters(name, operator);
  switch (operator) {
    case 'in':
    case 'notin':
      return [`${name} ${operator} (${all.join(',')})`, `${name} ${operator} (${all.slice(0, 1)})`];
    case 'like':
      return storedValues(field, held, atLength(1, 3)).flatMap((value) =>
        likeFilters(name, String(value)),
      );
    case 'eq':
    case 'ne':
      return [...all, 'null'].map((value) => `${name} ${operator} ${value}`);
    default:
      return all.slice(0, atLength(1, 3)).map((value) => `${name} ${operator} ${value}`);
  }
}

function likeFilters(name: string, value: string): string[] {
  const escaped = value.replaceAll("'", "''").replace(/[\\%_]/g, '\\$&');
  const patterns = [
    escaped.toUpperCase(),
    `%${escaped.slice(-2)}`,
    `${value
      .slice(0, 1)
      .replaceAll("'", "''")
      .replace(/[\\%_]/g, '\\$&')}%`,
    `_%`,
    escaped.normalize('NFD').replace(/\p{M}/gu, ''),
  ];
  return patterns.map((pattern) => `${name} like '${pattern}'`);
}

function keywordFilters(name: string, operator: Operator): string[] {
  const texts = ['widgets', '"widgets for people"', 'fintech -widgets', 'agora', 'nowhere'];
  return texts.map((text) => `${name} ${operator} '${text}'`);
}
