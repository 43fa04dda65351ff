import type { Filter } from './filter.ts';
import type { paths } from './schema.ts';

/** A path of the data API, such as `/startups/{id}`. */
export type Path = keyof paths & string;

type Operation<P extends Path> = paths[P]['get'];

/** The body of a successful response. */
export type Data<P extends Path> = Operation<P>['responses'][200]['content']['application/json'];

/** One record of a collection. */
export type RecordOf<P extends Path> = Data<P> extends readonly (infer One)[] ? One : never;

type PathParameters<P extends Path> = Operation<P>['parameters'] extends { path: infer Parameters }
  ? [Parameters] extends [never]
    ? unknown
    : Parameters
  : unknown;
type QueryParameters<P extends Path> = NonNullable<Operation<P>['parameters']['query']>;

/**
 * A parameter as the client accepts it: a list is joined with commas, its values quoted where
 * they contain one; a date is sent as an instant.
 */
type Accepted<Value> =
  | Value
  | (Value extends string ? readonly string[] | Date | Filter : never)
  | undefined;

type AcceptedParameters<Parameters> = { [Name in keyof Parameters]: Accepted<Parameters[Name]> };

/** The parameters of a path: those in `{…}` and those of the query. */
export type Parameters<P extends Path> = AcceptedParameters<PathParameters<P> & QueryParameters<P>>;

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
