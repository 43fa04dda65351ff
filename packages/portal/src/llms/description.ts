/** Reads the OpenAPI descriptions in `docs/openapi`. */
import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/openapi/', import.meta.url);

/** The parts of a schema that the files for assistants state. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-unit'?: string;
  readonly 'x-filterable'?: readonly string[] | false;
  readonly 'x-sortable'?: boolean;
  readonly 'x-signal-types'?: readonly SignalType[];
}

interface SignalType {
  readonly type: string;
  /** Null if it may be a startup or a fund. */
  readonly subject: string | null;
  readonly object: string | null;
  readonly carriesAmount: boolean;
  readonly description: string;
}

interface FilterOnlyField {
  readonly name: string;
  readonly type: string;
  readonly many: boolean;
  readonly operators: readonly string[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
  readonly 'x-filter-only'?: readonly FilterOnlyField[];
}

interface Body {
  readonly examples?: { readonly result?: { readonly summary?: string; readonly value?: unknown } };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Body>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<'get' | 'post', Operation>>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** A description, whose references are resolved when they are read. */
export type Description = ReturnType<typeof readDescription>;

/** @param name `data-api` or `access-api`. */
export function readDescription(name: string) {
  const text = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
  const document = JSON.parse(text) as Document;
  const resolve = <T extends { readonly $ref?: string }>(node: T): T => {
    if (node.$ref === undefined) return node;
    const [, , group = '', component = ''] = node.$ref.split('/');
    const found = document.components[group]?.[component];
    if (found === undefined) throw new Error(`${name}.json has no ${node.$ref}.`);
    return resolve(found as T);
  };
  const operation = (path: string, method?: 'get' | 'post'): Operation => {
    const item = document.paths[path];
    const found = method === undefined ? (item?.get ?? item?.post) : item?.[method];
    if (found === undefined) throw new Error(`${name}.json does not describe ${path}.`);
    return found;
  };
  return {
    text,
    resolve,
    operation,
    paths: Object.keys(document.paths),
    /** The query parameters of an endpoint. */
    parameters: (path: string): readonly Parameter[] =>
      (operation(path).parameters ?? []).map(resolve).filter((each) => each.in === 'query'),
    schemaNames: Object.keys(document.components.schemas ?? {}),
    schema: (component: string): Schema =>
      resolve({ $ref: `#/components/schemas/${component}` } as Schema),
  };
}
