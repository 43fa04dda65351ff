/** Reads the OpenAPI descriptions in `docs/openapi`. */
import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../docs/openapi/', import.meta.url);

/** The parts of a schema that the reference and the files for assistants state. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-unit'?: string;
  readonly 'x-filterable'?: readonly string[] | false;
  readonly 'x-sortable'?: boolean;
  readonly 'x-closed-values'?: readonly { readonly value: unknown; readonly label: string }[];
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
  readonly required?: boolean;
  readonly schema: Schema;
  readonly 'x-filter-only'?: readonly FilterOnlyField[];
}

interface Body {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: {
    readonly result?: { readonly summary?: string; readonly value?: unknown };
  };
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Body>>;
  readonly 'x-error-codes'?: readonly string[];
}

interface Server {
  readonly url: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
  readonly responses?: Readonly<Record<string, Response>>;
  readonly security?: readonly object[];
  readonly 'x-price'?: { readonly base: number; readonly perRecord: number };
  readonly 'x-scope'?: string;
}

/** A row of the reference. */
export interface DescribedEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The URL without a query. */
  readonly url: string;
  readonly operation: Operation;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly servers: readonly Server[];
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Partial<Record<'get' | 'post', Operation>>> & {
        readonly servers?: readonly Server[];
      }
    >
  >;
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
  const [root] = document.servers;
  const endpoints = Object.entries(document.paths).flatMap(([path, { servers, ...methods }]) =>
    (['post', 'get'] as const).flatMap((name): DescribedEndpoint[] => {
      const found = methods[name];
      if (found === undefined) return [];
      const url = `${servers?.[0]?.url ?? root?.url ?? ''}${path}`;
      return [{ method: name === 'get' ? 'GET' : 'POST', path, url, operation: found }];
    }),
  );
  return {
    ...{ text, tags: document.tags, endpoints },
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
