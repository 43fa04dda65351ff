import type { BoundValue } from '@vcds/odata-query';
import type { Row } from '../../../../packages/odata-query/test/reference-evaluator.ts';
import type { ResourceField } from '../../src/resources/index.ts';

/** Up to `most` different values that rows have for a field, evenly spread over them. */
export function storedValues(
  field: ResourceField,
  rows: readonly Row[],
  most: number,
): BoundValue[] {
  const values = [
    ...new Set(
      rows.flatMap((row) => {
        const cell = row[field.name] ?? null;
        return cell === null ? [] : typeof cell === 'object' ? [...cell] : [cell];
      }),
    ),
  ].sort();
  const step = Math.max(1, Math.floor(values.length / most));
  return values.filter((_, index) => index % step === 0).slice(0, most);
}

/** A value as `$filter` writes it. */
export function literal(field: ResourceField, value: BoundValue): string {
  if (typeof value === 'string' && !['date', 'instant', 'uuid'].includes(field.type)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return String(value);
}

/** A value of the field's type that no row has; undefined for a closed list. */
export function absentLiteral(field: ResourceField): string | undefined {
  const LITERALS: Partial<Record<ResourceField['type'], string>> = {
    uuid: '00000000-0000-4000-8000-000000000000',
    text: "'Unused''s \"%_\\ value'",
    year: '1801',
    integer: '2147483647',
    usd: '9007199254740991',
    number: '0.125',
    date: '1901-02-03',
    instant: '1901-02-03T04:05:06.789Z',
  };
  return field.name === 'Identifier' ? "'linkedin:unused'" : LITERALS[field.type];
}
