/** The pages of the reference: one for each group of endpoints, made from the descriptions. */
import {
  type DescribedEndpoint as Endpoint,
  type Description as ReadDescription,
  readDescription,
  type Schema,
} from './description.ts';

const API = { 'data-api': 'Data API', 'access-api': 'Access API' } as const;
type ApiName = keyof typeof API;

/** Parameters that all calls have; the overview describes them. */
const OF_ALL = new Set(['quote', 'X-Credits-Max', 'Idempotency-Key']);
/** Longer lists of values stand in the specification. */
const VALUES_MAX = 30;

export interface ReferencePage {
  readonly name: string;
  readonly title: string;
  readonly content: string;
}

/** The overview of an API, and the pages of its groups. */
export function referencePages(name: ApiName): ReferencePage[] {
  const api = readDescription(name);
  return api.tags.map(({ name: tag, description }) => {
    const title = tag.charAt(0).toUpperCase() + tag.slice(1);
    const endpoints = api.endpoints.filter(({ operation }) => operation.tags?.includes(tag));
    const content = [
      FRONTMATTER(`${title}, ${API[name]} reference`, description),
      `# ${title}\n\n${description} Part of the [${API[name]}](./${name}.md).\n\n<ReaderKey />`,
      ...endpoints.map((endpoint) => section(endpoint, api)),
      ...recordsOf(endpoints, api),
      '',
    ].join('\n\n');
    return { name: pageOf(tag), title, content };
  });
}

function pageOf(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

const FRONTMATTER = (title: string, description: string) => `---
title: ${title}
description: ${JSON.stringify(description)}
pageClass: reference
aside: false
---

<script setup>
import ReaderKey from '../.vitepress/theme/reference/ReaderKey.vue';
import TryCall from '../.vitepress/theme/reference/TryCall.vue';
</script>`;

/** The table of all endpoints of an API. */
export function endpointList(name: ApiName): string {
  const { endpoints } = readDescription(name);
  const rows = endpoints.map(({ method, path, operation }) => {
    const page = pageOf(operation.tags?.[0] ?? '');
    const link = `[${method} ${path}](./${page}.md#${operation.operationId.toLowerCase()})`;
    return [link, operation.summary, priceOf(operation['x-price'])];
  });
  return table(['Endpoint', 'Answers', 'Price'], rows);
}

function priceOf(price: Endpoint['operation']['x-price']): string {
  if (price === undefined || (price.base === 0 && price.perRecord === 0)) return 'free';
  const credits = (count: number) => `${count} credit${count === 1 ? '' : 's'}`;
  return price.perRecord === 0 ? credits(price.base) : `${credits(price.perRecord)} a record`;
}

/** Two columns: texts and tables, and beside them the call with its recorded response. */
function section(endpoint: Endpoint, api: ReadDescription): string {
  const { method, path, url, operation } = endpoint;
  const [ok] = Object.entries(operation.responses ?? {}).filter(([status]) =>
    status.startsWith('2'),
  );
  const content = ok && api.resolve(ok[1]).content?.['application/json'];
  const { summary: request, value } = content?.examples?.result ?? {};
  const query = request?.includes('?') ? request.slice(request.indexOf('?')) : '';
  const called = request?.includes('{base_url}')
    ? `https://api.vcds.example/v2${request.replace(/^GET \{base_url\}/, '').replace(/\?.*$/s, '')}`
    : url;
  const body = operation.requestBody?.content['application/json'];
  const sent = body?.example;
  const props = [
    `method="${method}"`,
    `url="${attribute(called)}"`,
    ...(query === '' ? [] : [`query="${attribute(query)}"`]),
    ...(sent === undefined ? [] : [`body="${attribute(JSON.stringify(sent, undefined, 2))}"`]),
    ...(operation.security?.length ? ['takes-key'] : []),
  ];
  const facts = [
    priceOf(operation['x-price']),
    ...(operation['x-scope'] === undefined ? [] : [`scope \`${operation['x-scope']}\``]),
  ];
  return [
    `## ${operation.summary} {#${operation.operationId.toLowerCase()}}`,
    '<div class="operation">\n<div>',
    `<p class="call-line"><strong>${method}</strong> <code>${escaped(path)}</code></p>`,
    // The description ends with the price and the uses, which stand in columns here.
    escaped((operation.description ?? '').replace(/ Price: .*$/s, '')),
    `${facts.join(', ')}.`,
    parameterTable(endpoint, api),
    fieldsOfBody(content?.schema, operation.operationId, api),
    errorList(endpoint, api),
    '</div>\n<div class="beside">',
    `<TryCall ${props.join(' ')} />`,
    value === undefined ? '' : `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``,
    '</div>\n</div>',
  ].join('\n\n');
}

function parameterTable({ operation }: Endpoint, api: ReadDescription): string {
  const rows = (operation.parameters ?? [])
    .map((each) => api.resolve(each))
    .filter(({ name }) => !OF_ALL.has(name))
    .map(({ name, required, description = '', schema }) => [
      `\`${name}\`<br>${typeOf(schema, api)}${required === true ? ', required' : ''}`,
      `${escaped(description)}${valuesOf(schema, api)}${bounds(schema)}`,
    ]);
  return rows.length === 0
    ? ''
    : `### Parameters {#${operation.operationId.toLowerCase()}-parameters}\n\n${table(['Parameter', 'Meaning'], rows)}`;
}

function bounds({ default: usual, minimum, maximum, maxLength }: Schema): string {
  const number = (value: number) => value.toLocaleString('en-US');
  return [
    ...(usual === undefined ? [] : [` Default \`${String(usual)}\`.`]),
    ...(minimum === undefined || maximum === undefined
      ? []
      : [` ${number(minimum)} to ${number(maximum)}.`]),
    ...(maxLength === undefined ? [] : [` At most ${number(maxLength)} characters.`]),
  ].join('');
}

/** The members of a response that is no record; records have a table of their own. */
function fieldsOfBody(schema: Schema | undefined, id: string, api: ReadDescription): string {
  const names = schema === undefined ? [] : namesIn(schema);
  const record = names.find((name) => isRecord(name, api));
  if (record !== undefined)
    return `Records have the [fields of ${record}](#${record.toLowerCase()}-fields).`;
  const [name] = names.filter((each) => !['QuoteResponse', 'Count'].includes(each));
  const found = name === undefined ? schema : api.resolve({ $ref: `#/components/schemas/${name}` });
  const properties = found === undefined ? {} : propertiesOf(found, api);
  if (Object.keys(properties).length === 0) return '';
  const rows = Object.entries(properties).map(([field, each]) => [
    anchored(`${id}-${field}`.toLowerCase(), `\`${field}\``),
    typeOf(each, api),
    `${escaped(each.description ?? '')}${valuesOf(each, api)}`,
  ]);
  return `### Response {#${id.toLowerCase()}-response}\n\n${table(['Member', 'Type', 'Meaning'], rows)}`;
}

/** The tables of fields of the records that a group returns. */
function recordsOf(endpoints: readonly Endpoint[], api: ReadDescription): string[] {
  const names = endpoints.flatMap(({ operation }) => {
    const schema = operation.responses?.[200]?.content?.['application/json']?.schema;
    return schema === undefined ? [] : namesIn(schema).filter((name) => isRecord(name, api));
  });
  return [...new Set(names)].map((name) => {
    const properties = propertiesOf(api.resolve({ $ref: `#/components/schemas/${name}` }), api);
    const rows = Object.entries(properties).map(([field, schema]) => [
      anchored(`${name}-${field}`.toLowerCase(), `\`${field}\``),
      typeOf(schema, api),
      schema['x-unit'] ?? '',
      schema['x-filterable'] ? `\`${schema['x-filterable'].join(' ')}\`` : 'no',
      schema['x-sortable'] === true ? 'yes' : 'no',
      `${escaped(meaningOf(schema))}${valuesOf(schema, api)}`,
    ]);
    const head = ['Field', 'Type', 'Unit', 'Filter', 'Sort', 'Meaning'];
    return `## Fields of ${name} {#${name.toLowerCase()}-fields}\n\n${table(head, rows)}`;
  });
}

/** The text of a field without its uses, which have columns of their own. */
function meaningOf({ description = '' }: Schema): string {
  const at = description.lastIndexOf('Use: ');
  return at < 0 ? description : description.slice(0, at).trim();
}

/** The names of the schemas of a body, without those of labels and parts. */
function namesIn(schema: Schema): string[] {
  const { $ref, items, anyOf = [], oneOf = [] } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return /(?:Labels|Selection)$/.test(name) ? [] : [name];
  }
  return [...(items ? [items] : []), ...anyOf, ...oneOf].flatMap(namesIn);
}

function isRecord(name: string, api: ReadDescription): boolean {
  const found: Schema | undefined = api.resolve({ $ref: `#/components/schemas/${name}` });
  return found?.allOf?.some(({ $ref }) => $ref?.endsWith(`/${name}Selection`)) === true;
}

function propertiesOf(schema: Schema, api: ReadDescription): Readonly<Record<string, Schema>> {
  const parts = (schema.allOf ?? []).map((each) => propertiesOf(api.resolve(each), api));
  return Object.assign({}, ...parts, schema.properties);
}

/** `text`, `date or null`, `list of integer`. */
function typeOf(schema: Schema, api: ReadDescription): string {
  const { $ref, oneOf = [], items, nullable, ...found } = api.resolve(schema);
  const [only] = oneOf;
  const isNull = ({ enum: values }: Schema) => values?.length === 1 && values[0] === null;
  const suffix = nullable === true || oneOf.some(isNull) ? ' or null' : '';
  if (only !== undefined) return `${typeOf(only, api)}${suffix}`;
  if (found.type === 'array') return `list of ${typeOf(items ?? {}, api)}${suffix}`;
  const word = WORDS[found.format ?? ''] ?? WORDS[found.type ?? ''] ?? found.type ?? 'any';
  return `${word}${suffix}`;
}

/** The values of a closed list, as a sentence. */
function valuesOf(schema: Schema, api: ReadDescription): string {
  const found = api.resolve(schema);
  const [inner] = [...(found.items ? [found.items] : []), ...(found.oneOf ?? [])];
  if (inner !== undefined) return valuesOf(inner, api);
  const closed = found['x-closed-values']?.map(({ value, label }) =>
    value === label ? label : `${value} ${label}`,
  );
  const values = closed ?? (found.enum ?? []).map(String);
  if (values.length < 2 || values.length > VALUES_MAX) return '';
  return ` One of: ${escaped(values.join(', '))}.`;
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ string: 'text', integer: 'integer', number: 'number', boolean: 'true or false' },
  ...{ 'date-time': 'instant', date: 'date', uuid: 'UUID', uri: 'URL', email: 'email address' },
};

/** The codes by status; each leads to its row in the table of errors. */
function errorList({ operation }: Endpoint, api: ReadDescription): string {
  const lines = Object.entries(operation.responses ?? {}).flatMap(([status, response]) => {
    const codes = api.resolve(response)['x-error-codes'] ?? [];
    const links = codes.map((code) => `[\`${code}\`](../errors.md#${code})`);
    return codes.length === 0 ? [] : [`- ${status}: ${links.join(', ')}`];
  });
  return `<details>\n<summary>Errors</summary>\n\n${lines.join('\n')}\n\n</details>`;
}

const anchored = (id: string, text: string) =>
  `<a id="${attribute(id)}" class="anchor" href="#${attribute(id)}">${text}</a>`;
const attribute = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\n', '&#10;');
/** Text of a description, which may contain code, as Markdown in a table. */
const escaped = (text: string) =>
  text.replaceAll('<', '&lt;').replaceAll('\n', ' ').replaceAll('|', '\\|');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
