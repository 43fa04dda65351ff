/** The parts of an OpenAPI 3.0 document that the check of responses reads. */
export interface Document {
  readonly info: { readonly title: string };
  readonly servers?: readonly Server[];
  readonly paths: Readonly<Record<string, PathItem>>;
}

interface Server {
  readonly url: string;
}

interface Reference {
  readonly $ref?: string;
}

interface PathItem extends Readonly<Partial<Record<Method, Operation>>> {
  readonly servers?: readonly Server[];
  readonly parameters?: readonly Parameter[];
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of a schema that bound a value of a request. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A parameter of an operation. */
export interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Header extends Reference {
  readonly required?: boolean;
  readonly schema?: object;
}

interface Response extends Reference {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly 'x-error-codes'?: readonly string[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
type Method = (typeof METHODS)[number];

/** A response of an operation, with the references in it resolved. */
export interface DescribedResponse {
  readonly headers: ReadonlyMap<string, Header>;
  /** JSON pointers to the schemas of its bodies, by media type. */
  readonly schemas: ReadonlyMap<string, string>;
  /** The values of `error.code`. */
  readonly codes: readonly string[];
}

/** A method of a path. */
export interface DescribedOperation {
  /** Such as `GET /v2/startups/{id}`. */
  readonly name: string;
  readonly document: Document;
  readonly method: string;
  /** Such as `/v2/startups/{id}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of its JSON body, if it has one. */
  readonly body: Schema | undefined;
  readonly query: ReadonlySet<string>;
  readonly responses: ReadonlyMap<number, DescribedResponse>;
  /** Whether a method and a path are of this operation. */
  matches(method: string, path: string): boolean;
}

/** The operations of a document, those with fewer path parameters first. */
export function operationsOf(document: Document): readonly DescribedOperation[] {
  const templates = Object.entries(document.paths).sort(
    ([a], [b]) => a.split('{').length - b.split('{').length,
  );
  return templates.flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [describe(document, template, item, method, operation)];
    }),
  );
}

function describe(
  document: Document,
  template: string,
  item: PathItem,
  method: Method,
  { parameters = [], requestBody, responses }: Operation,
): DescribedOperation {
  const [server] = item.servers ?? document.servers ?? [];
  const base = new URL(server?.url ?? '/', 'http://host').pathname.replace(/\/$/, '');
  const segments = segmentsOf(`${base}${template}`);
  const all = [...(item.parameters ?? []), ...parameters].map(
    (one) => resolve(document, one).value,
  );
  return {
    name: `${method.toUpperCase()} ${base}${template}`,
    document,
    method: method.toUpperCase(),
    path: `${base}${template}`,
    parameters: all,
    body: requestBody?.content['application/json']?.schema,
    query: new Set(all.filter((one) => one.in === 'query').map(({ name }) => name)),
    responses: new Map(
      Object.entries(responses).map(([status, response]) => {
        const pointer = pointerOf('paths', template, method, 'responses', status);
        return [Number(status), describeResponse(document, response, pointer)];
      }),
    ),
    matches: (asked, path) => asked.toLowerCase() === method && fits(segments, segmentsOf(path)),
  };
}

/** The parts of a path; a slash at its end makes no difference. */
function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/');
}

function fits(template: readonly string[], path: readonly string[]): boolean {
  return (
    template.length === path.length &&
    template.every((segment, i) => (segment.startsWith('{') ? path[i] !== '' : segment === path[i]))
  );
}

function describeResponse(document: Document, response: Response, at: string): DescribedResponse {
  const { value, pointer = at } = resolve(document, response);
  const headers = Object.entries(value.headers ?? {}).map(
    ([name, header]) => [name.toLowerCase(), resolve(document, header).value] as const,
  );
  const schemas = Object.keys(value.content ?? {}).map(
    (type) => [type, `${pointer}${pointerOf('content', type, 'schema').slice(1)}`] as const,
  );
  return {
    headers: new Map(headers),
    schemas: new Map(schemas),
    codes: value['x-error-codes'] ?? [],
  };
}

function resolve<T extends Reference>(
  document: Document,
  node: T,
): { readonly value: T; readonly pointer?: string } {
  if (node.$ref === undefined) return { value: node };
  const segments = node.$ref.slice(2).split('/');
  const value = segments.reduce<unknown>(
    (at, segment) => Reflect.get(Object(at), segment.replaceAll('~1', '/').replaceAll('~0', '~')),
    document,
  );
  if (value === undefined) throw new Error(`The description has no ${node.$ref}.`);
  return { value: value as T, pointer: node.$ref };
}

function pointerOf(...segments: readonly string[]): string {
  const escaped = segments.map((one) => one.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${escaped.join('/')}`;
}
