import { isOrderOperator, OPERATORS_BY_TYPE, type Operator } from './operator.ts';

/**
 * The type of a field's values: `year` is a smallint, `integer` an int4, `usd` whole dollars up to 2^53-1,
 * `number` a double, `date` a calendar date, `instant` a moment in UTC, `closed` one of a fixed
 * list, `keywords` full text that can only be searched.
 */
export type ValueType =
  | 'uuid'
  | 'text'
  | 'year'
  | 'integer'
  | 'usd'
  | 'number'
  | 'date'
  | 'instant'
  | 'boolean'
  | 'closed'
  | 'keywords';

/** One value of a closed list; callers may write any of the four (docs/spec/categories.md 8.3). */
export interface ClosedValue {
  /** The stored and compared value: a number for stages and buckets, else the member name. */
  readonly value: number | string;
  readonly name: string;
  readonly slug: string;
  readonly label: string;
  /** Names in other systems. Only suggestions use them; no parser accepts them. */
  readonly synonyms?: readonly string[] | undefined;
  /** A value that is neither before nor after the others of a list with an order. */
  readonly unordered?: boolean;
}

/** One row of a resource's field table; resources extend it with columns of their own. */
export interface FieldSpec {
  /** As callers write it; may contain a dot: `Group.Name`. */
  readonly name: string;
  readonly type: ValueType;
  /** Multi-valued: eq and in mean "has any of", ne and notin "has none of". */
  readonly many?: boolean;
  readonly filterable: boolean;
  readonly sortable: boolean;
  /** False for fields that can be filtered but are no part of a record. Default true. */
  readonly selectable?: boolean;
  /** Worked out after rows are read: can be selected, never filtered or sorted. */
  readonly computed?: boolean;
  /** Narrows what the type allows. */
  readonly operators?: readonly Operator[];
  /** For type `closed`: the complete list. */
  readonly closed?: readonly ClosedValue[];
  /**
   * For type `text`: the stored form of a value as callers write it, for all operators but `like`;
   * or why the field has no such value, as a clause after the value.
   */
  readonly canonical?: (text: string) => string | { readonly fault: string };
  /** Path of the endpoint that lists valid values; `{value}` stands for what was written. */
  readonly see?: string;
  /** Names in other systems. Only suggestions use them; no parser accepts them. */
  readonly synonyms?: readonly string[] | undefined;
}

/** The fields of one resource by name, in the order in which records show them. */
export interface FieldTable<F extends FieldSpec> extends ReadonlyMap<string, F> {
  /** The name of the resource in messages: `startup`. */
  readonly title?: string | undefined;
}

/**
 * Makes a table of a list of fields of a resource, which messages call by `title`. A fault in the list (two fields of one name, a closed field
 * without values or with two values of one spelling, a computed field that can be filtered) is a
 * fault of the program, thrown as TypeError when the table is made.
 */
export function fieldTable<F extends FieldSpec>(
  fields: Iterable<F>,
  title?: string,
): FieldTable<F> {
  const table = new Map<string, F>();
  for (const field of fields) {
    if (table.has(field.name)) throw new TypeError(`The field ${field.name} is declared twice.`);
    if ((field.type === 'closed') !== (field.closed !== undefined)) {
      throw new TypeError(`The field ${field.name} must list values exactly if it is closed.`);
    }
    if (field.computed === true && (field.filterable || field.sortable)) {
      throw new TypeError(`The computed field ${field.name} cannot be filtered or sorted.`);
    }
    assertUnambiguous(field);
    table.set(field.name, field);
  }
  return Object.assign(table, { title });
}

function assertUnambiguous(field: FieldSpec): void {
  const meanings = new Map<string, ClosedValue['value']>();
  for (const entry of field.closed ?? []) {
    for (const spelling of spellingsOf(entry)) {
      if ((meanings.get(spelling) ?? entry.value) !== entry.value) {
        throw new TypeError(`${spelling} means two values of ${field.name}.`);
      }
      meanings.set(spelling, entry.value);
    }
  }
}

/** The operators a filter may use on the field: those of its type, narrowed by its own list. */
export function operatorsOf(field: FieldSpec): readonly Operator[] {
  if (field.operators === undefined && field.many !== true) return OPERATORS_BY_TYPE[field.type];
  const known = NARROWED.get(field);
  if (known !== undefined) return known;
  const narrowed = Object.freeze(
    OPERATORS_BY_TYPE[field.type].filter(
      (operator) =>
        (field.operators === undefined || field.operators.includes(operator)) &&
        !(field.many === true && isOrderOperator(operator)),
    ),
  );
  NARROWED.set(field, narrowed);
  return narrowed;
}

/** The operators of fields that allow fewer than their type, worked out once per field. */
const NARROWED = new WeakMap<FieldSpec, readonly Operator[]>();

/** The accepted spellings of each list, computed once per list. */
const SPELLINGS = new WeakMap<readonly ClosedValue[], ReadonlyMap<string, ClosedValue>>();

/**
 * The value of a list that a text stands for: its label, slug, member name or number, as it is
 * spelled there and no other way, `4` but neither `4.0` nor `04` (docs/spec/categories.md 8.3).
 */
export function closedValueOf(list: readonly ClosedValue[], text: string): ClosedValue | undefined {
  let spellings = SPELLINGS.get(list);
  if (spellings === undefined) {
    spellings = new Map(
      list.flatMap((entry) => spellingsOf(entry).map((spelling) => [spelling, entry] as const)),
    );
    SPELLINGS.set(list, spellings);
  }
  return spellings.get(text);
}

/** Everything a caller may write for the value. */
export function spellingsOf({ value, label, slug, name }: ClosedValue): readonly string[] {
  return [label, slug, name, String(value)];
}
