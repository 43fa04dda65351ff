import type { Filter } from './filter.ts';
import type { components } from './generated/schema.ts';

type Calls = components['schemas']['Calls'];

/** A path of the data API that is read, such as `/startups/{id}`. */
export type Path = {
  [P in keyof Calls]: Calls[P] extends { readonly body: unknown } ? never : P;
}[keyof Calls] &
  string;

/** The result of a call. */
export type Data<P extends Path> = Calls[P]['result'];

/** A path whose results are arrays of records. */
export type CollectionPath = {
  [P in Path]: Data<P> extends readonly object[] ? P : never;
}[Path];

/** One record of a collection. */
export type RecordOf<P extends Path> = Data<P> extends readonly (infer One)[] ? One : never;

/** The relations of a record: the members that are absent without `$expand`. */
export type RelationsOf<Item> = Exclude<AbsentMembers<Item>, `${string}@${string}`>;
type AbsentMembers<Item> = {
  [Name in keyof Item]-?: Record<never, never> extends Pick<Item, Name> ? Name : never;
}[keyof Item] &
  string;

/** The fields of a record. */
export type FieldsOf<Item> = Exclude<keyof Item & string, AbsentMembers<Item>>;

/**
 * A parameter as the client accepts it: a list is joined with commas, its values quoted where
 * they contain one; a date is sent as an instant.
 */
type Accepted<Value> = Value extends readonly (infer Item)[]
  ? string | readonly Item[]
  : string extends Value
    ? string | readonly string[] | Date | Filter
    : Value;

type AcceptedParameters<Parameters> = {
  [Name in keyof Parameters]: Accepted<NonNullable<Parameters[Name]>> | AbsentIn<Parameters, Name>;
};
type AbsentIn<Parameters, Name extends keyof Parameters> =
  Record<never, never> extends Pick<Parameters, Name> ? undefined : never;

type Part<P extends Path, Name extends string> =
  Calls[P] extends Readonly<Record<Name, infer Found>> ? Found : unknown;

/** The parameters of a path: those in `{…}` and those of the query. */
export type Parameters<P extends Path> = AcceptedParameters<Part<P, 'path'> & Part<P, 'query'>>;

/** One key of an order of a collection, such as `Name desc`. */
export type OrderKey<P extends Path> =
  Part<P, 'query'> extends { $orderby?: (infer Key)[] } ? Key : never;

/** A path without required parameters. */
export type FreePath = {
  [P in Path]: Record<never, never> extends Parameters<P> ? P : never;
}[Path];

/** Parameters, without names that the path does not have. */
export type Known<P extends Path, Given> = Given & {
  readonly [Name in Exclude<keyof Given, keyof Parameters<P>>]: never;
};

/** The result of a call with these parameters: with `$select`, any field can be absent. */
export type Result<P extends Path, Given> = Given extends { readonly $select: object | string }
  ? Data<P> extends readonly (infer Item)[]
    ? readonly Partial<Item>[]
    : Partial<Data<P>>
  : Data<P>;

/**
 * Path and query of a call. A text is sent as it is given; a list is joined with commas, with
 * double quotes around a value that needs them (docs/spec/categories.md 8.5).
 *
 * @throws TypeError if a parameter in the path has no value.
 */
export function pathOf(path: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  const left = new Map(Object.entries(parameters));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(left.get(name));
    left.delete(name);
    // A segment of dots would be resolved away by every URL parser.
    if (text === undefined || /^\.{0,2}$/.test(text)) {
      throw new TypeError(`The parameter ${name} of ${path} needs a value.`);
    }
    return encodeURIComponent(text);
  });
  const query = new URLSearchParams();
  for (const [name, value] of left) {
    const text = textOf(value);
    if (text !== undefined) query.set(name, text);
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(String).map(quoted).join(',') : String(value);
}

function quoted(text: string): string {
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
