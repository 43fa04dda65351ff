import type { Literal } from '../../ast/literal.ts';
import { BOUNDS } from '../../bounds.ts';
import { echo } from '../../echo.ts';
import type { ClosedValue, FieldSpec } from '../../field-spec.ts';
import { nearest } from '../../nearest.ts';
import { printLiteral } from '../../print/print-literal.ts';
import { QueryError } from '../../query-error.ts';
import { isNumeric } from './number.ts';
import { wholeNumber } from './whole-number.ts';

type Value = ClosedValue['value'];

/** What callers may write for each list, made once per list. */
const SPELLINGS = new WeakMap<readonly ClosedValue[], ReadonlyMap<string, Value>>();

/** One of a fixed list, by label, slug, member name or number, case as given (spec §2.6). */
export function readClosed(value: Literal, field: FieldSpec): Value {
  const list = field.closed ?? [];
  const named = value.type === 'string' ? spellingsOf(list).get(value.text) : undefined;
  if (named !== undefined) return named;
  const number = isNumeric(value) ? wholeNumber(value.text) : undefined;
  const numbered = list.find((entry) => entry.value === number);
  if (numbered !== undefined) return numbered.value;
  throw unknownValue(value, field, list);
}

function spellingsOf(list: readonly ClosedValue[]): ReadonlyMap<string, Value> {
  const known = SPELLINGS.get(list);
  if (known !== undefined) return known;
  const spellings = new Map<string, Value>();
  for (const entry of list) {
    for (const spelling of [entry.label, entry.slug, entry.name]) {
      spellings.set(spelling, entry.value);
    }
  }
  SPELLINGS.set(list, spellings);
  return spellings;
}

function unknownValue(value: Literal, field: FieldSpec, list: readonly ClosedValue[]): QueryError {
  const labels = list.map((entry) => entry.label);
  const others = list.flatMap((entry) => [entry.slug, entry.name]);
  const suggestion = nearest([...labels, ...others], value.text);
  const hint = suggestion === undefined ? '' : ` Did you mean '${suggestion}'?`;
  const message = `${field.name} has no value ${echo(printLiteral(value))}.${hint}`;
  return new QueryError('unknown_value', message, {
    parameter: '$filter',
    field: field.name,
    position: value.position,
    value: echo(value.text),
    allowed: labels.slice(0, BOUNDS.errorAllowed),
    suggestion,
    see: field.see,
  });
}
