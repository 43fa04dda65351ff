import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** A part of a description, or the name of one in its components. */
type Part = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Part;
}

const HEAD = `/** Generated from docs/openapi/data-api.json by \`npm run describe\`. */\n`;
/** Counts and quotes are methods of their own, with their own types. */
const PARAMETERS_OMITTED = ['$count', 'quote'];
/** Alternatives to the complete result. */
const RESULTS_OMITTED = /\/(?:Count|QuoteResponse|\w+Selection|\w+Labels)$/;
/** The parts of a schema that its type depends on. */
const TYPE_KEYS = [
  ...['$ref', 'type', 'enum', 'nullable', 'items', 'required', 'properties', 'description'],
  ...['additionalProperties', 'allOf', 'oneOf', 'anyOf'],
];

/**
 * The TypeScript types of the calls of a description: for each path its parameters in the path
 * and in the query, and its result; and the schemas of records.
 */
export async function schemaText(description: object): Promise<string> {
  const { paths, components } = description as Readonly<
    Record<'paths' | 'components', Record<string, Record<string, Part>>>
  >;
  const resolved = <Found>(part: unknown): Found => {
    const [, , group = '', name = ''] = String((part as Part).$ref ?? '').split('/');
    return (components[group]?.[name] ?? part) as Found;
  };
  const calls = Object.entries(paths).flatMap(([path, { get, post, servers }]) => {
    // The root, which has another server, is for people.
    if (servers !== undefined) return [];
    const operation = get ?? post ?? {};
    const parameters = ((operation.parameters ?? []) as Part[]).map((each) =>
      resolved<Parameter>(each),
    );
    const [inPath, inQuery] = (['path', 'query'] as const).map((place) =>
      parameters.filter((each) => each.in === place && !PARAMETERS_OMITTED.includes(each.name)),
    ) as [Parameter[], Parameter[]];
    const response = resolved<{ content: Record<string, { schema: Part }> }>(
      (operation.responses as Part)['200'],
    );
    const result = response.content['application/json']?.schema;
    // A file, which a client downloads by its address.
    if (result === undefined) return [];
    const { content } = (operation.requestBody ?? {}) as {
      content?: Record<string, { schema: Part }>;
    };
    const body = content?.['application/json']?.schema;
    const call = {
      ...(body !== undefined && { body: typeOnly(body) }),
      ...(inPath.length > 0 && { path: parametersSchema(inPath) }),
      ...(inQuery.length > 0 && { query: parametersSchema(inQuery) }),
      result,
    };
    return [[path, { type: 'object', properties: call, required: Object.keys(call) }]];
  });
  const Calls = typeOnly({
    type: 'object',
    properties: Object.fromEntries(calls),
    required: calls.map(([path]) => path),
  });
  const lists = JSON.stringify(description).matchAll(/"x-error-codes":(\[[^\]]*\])/g);
  const codes = new Set([...lists].flatMap(([, list = '[]']): string[] => JSON.parse(list)));
  const ErrorCode = { type: 'string', enum: [...codes].sort() };
  const schemas = { ...used(components.schemas ?? {}, Calls), Calls, ErrorCode };
  const info = { title: '', version: '' };
  const document = { openapi: '3.0.3', info, paths: {}, components: { schemas } };
  return HEAD + astToString(await openapiTS(document as unknown as OpenAPI3));
}

/** The schemas that another one refers to, directly or through others. */
function used(schemas: Readonly<Record<string, Part>>, by: Part): Record<string, Part> {
  const found = new Map([['', by]]);
  // A map is read on while it grows.
  for (const [, schema] of found) {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      found.set(name, found.get(name) ?? typeOnly(schemas[name] ?? {}));
    }
  }
  found.delete('');
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function typeOnly(schema: Part): Part {
  const kept = TYPE_KEYS.filter((key) => key in schema).map((key) => [key, schema[key]] as const);
  const parts = kept.map(([key, value]) => {
    if (key === 'properties') {
      const properties = Object.entries(value as Record<string, Part>);
      return [key, Object.fromEntries(properties.map(([name, each]) => [name, typeOnly(each)]))];
    }
    if (key.endsWith('Of')) return [key, (value as Part[]).map(typeOnly)];
    return [key, key === 'items' || key.startsWith('additional') ? nested(value) : value];
  });
  const { oneOf, anyOf, ...rest } = Object.fromEntries(parts) as Record<string, Part[]>;
  const choice = (oneOf ?? anyOf)?.filter(({ $ref }) => !RESULTS_OMITTED.test(String($ref)));
  if (choice === undefined) return rest;
  return choice.length === 1 ? { ...rest, ...choice[0] } : { ...rest, oneOf: choice };
}

function nested(value: unknown): unknown {
  return typeof value === 'object' ? typeOnly(value as Part) : value;
}

function parametersSchema(parameters: readonly Parameter[]): Part {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}
