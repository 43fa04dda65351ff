import { readFileSync } from 'node:fs';

/** A field of a collection. */
export interface Field {
  /** Such as `usd` or `text[]` (docs/spec/resources.md 4.1). */
  readonly type: string;
  /** Some of `filter`, `sort` and `show`, separated by blanks. */
  readonly use: string;
  /** The label of each value of a closed field. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Records that the tools list. */
export interface Collection {
  /** The path of the data API. */
  readonly path: string;
  readonly creditsPerRecord: number;
  readonly fields: Readonly<Record<string, Field>>;
  /** The description of each relation. */
  readonly relations: Readonly<Record<string, string>>;
}

export interface Dimension {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'open' | 'closed' | 'bucketed';
  readonly entities: readonly string[];
  readonly filterField: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface SignalType {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly object: string | null;
  readonly carriesAmount: boolean;
  readonly description: string;
}

/** The tables of the data API, as data-api writes them (`npm run describe`). */
export interface Catalogue {
  readonly collections: Readonly<Record<string, Collection>>;
  readonly dimensions: readonly Dimension[];
  readonly signals: readonly SignalType[];
  /** The types of activity. */
  readonly activity: readonly string[];
  readonly creditsPerSignal: number;
}

export const CATALOGUE: Catalogue = JSON.parse(
  readFileSync(new URL('../catalogue.json', import.meta.url), 'utf8'),
);

/** The names of the fields of a collection with a use. */
export function fieldsWith({ fields }: Collection, use: string): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.use.split(' ').includes(use));
}

/** The labels of closed fields whose records have numbers, by the name of the field. */
const LABELS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.values(CATALOGUE.collections)
    .flatMap(({ fields }) => Object.entries(fields))
    .flatMap(([name, { values }]) => (values?.['1'] === undefined ? [] : [[name, values]])),
);

/** A record with the labels of stages and headcount buckets in place of their numbers. */
export function labelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(labelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const labels = LABELS.get(name);
      if (labels === undefined) return [name, labelled(member)];
      return [name, Array.isArray(member) ? member.map(labelOf) : labelOf(member)];
      function labelOf(number: unknown): unknown {
        return labels?.[String(number)] ?? number;
      }
    }),
  );
}
