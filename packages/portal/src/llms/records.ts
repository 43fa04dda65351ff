/** The fields and relations of records, one line each. */
import type { Description, Schema } from '../description.ts';

interface RecordSet {
  readonly title: string;
  /** The component with all members. */
  readonly schema: string;
  readonly path: string;
  /** Another path that returns the same records. */
  readonly also?: string;
  /** The title of a record with the same fields. */
  readonly like?: string;
}

const RECORDS: readonly RecordSet[] = [
  { title: 'Startup', schema: 'StartupSelection', path: '/startups' },
  { title: 'Fund', schema: 'FundSelection', path: '/funds' },
  {
    title: 'Funding round',
    schema: 'FundingRoundSelection',
    path: '/startups/fundingrounds',
    also: '/startups/{id}/fundingrounds',
  },
  {
    title: 'Post-money valuation',
    schema: 'PostValuationSelection',
    path: '/startups/postvaluations',
    also: '/startups/{id}/postvaluations',
  },
  { title: 'Person', schema: 'PersonSelection', path: '/persons' },
  {
    title: 'Person of a company',
    schema: 'StartupPersonSelection',
    like: 'Person',
    path: '/startups/{id}/persons',
    also: '/funds/{id}/persons',
  },
  { title: 'News item', schema: 'NewsSelection', path: '/news' },
  { title: 'Holding', schema: 'HoldingSelection', path: '/funds/{id}/portfolio' },
  { title: 'Reference', schema: 'ReferenceSelection', path: '/startups/{id}/references' },
];

interface Line {
  readonly name: string;
  readonly type: string;
  readonly operators: readonly string[];
  readonly sortable: boolean;
  readonly text: string;
  readonly isFilterOnly?: boolean;
}

/** The members of a match of a search. */
export function matchMembers(api: Description): string {
  return Object.keys(api.schema('CompanyMatch').properties ?? {}).join(', ');
}

/** The section about records: types with their operators, then every field of every record. */
export function recordsSection(api: Description): string {
  const sets = RECORDS.map((set) => ({ ...set, lines: linesOf(api, set) }));
  const usual = usualOperators(sets.flatMap(({ lines }) => lines));
  const types = [...new Set(usual.values())].map((operators) => {
    const same = [...usual].filter(([, each]) => each === operators).map(([type]) => type);
    return `- ${same.join(', ')}: ${operators}`;
  });
  const own = sets.map(({ lines }) => lines.map((line) => fieldLine(line, usual)));
  const [common = []] = own.map((lines) => lines.filter((line) => COMMON.test(line)));
  const records = sets.map(({ title, path, also, like }, i) => {
    const paths = [path, also].filter(Boolean).map((each) => `\`${each}\``);
    const known = new Set([...common, ...(own[sets.findIndex((set) => set.title === like)] ?? [])]);
    const relations = relationsOf(api, path);
    return [
      `### ${title}: ${paths.join(', ')}`,
      '',
      ...(like === undefined ? [] : [`As ${like}, and:`]),
      ...(own[i] ?? []).filter((line) => !known.has(line)),
      ...(relations.length === 0 ? [] : [`- Relations: ${relations.join('; ')}`]),
    ].join('\n');
  });
  return [
    ...['Operators by type:', '', ...types, ''],
    'Every record but holdings and references also has:',
    ...['', ...common, ''],
    `An expanded record lacks computed fields (${computedFields(api).join(', ')}) and has the members in brackets below.`,
    ...['', ...interleaved(records)],
  ].join('\n');
}

// Fields of whole records that related records lack.
function computedFields(api: Description): string[] {
  const related = RECORDS.flatMap(({ schema }) => {
    const name = schema.replace('Selection', '');
    const component = api.schemaNames.find(
      (each) => each === `Related${name}` || each.startsWith(`${name}With`),
    );
    if (component === undefined) return [];
    const has = api.schema(component).properties ?? {};
    const all = Object.entries(api.schema(schema).properties ?? {});
    const fields = all.filter(([, field]) => field['x-sortable'] !== undefined);
    return fields.map(([field]) => field).filter((field) => !(field in has));
  });
  return [...new Set(related)];
}

const COMMON = /^- `(?:Id|CreatedTimeStamp|UpdatedTimeStamp)` /;

function interleaved(blocks: readonly string[]): string[] {
  return blocks.flatMap((block) => [block, '']);
}

function linesOf(api: Description, { schema, path }: RecordSet): Line[] {
  const filterOnly = filterOnlyOf(api, path);
  const relations = new Set(relationNames(api, path));
  const fields = Object.entries(api.schema(schema).properties ?? {})
    .filter(([name]) => !relations.has(name))
    .map(([name, field]) => ({
      name,
      type: typeOf(api, field),
      operators: field['x-filterable'] || [],
      sortable: field['x-sortable'] ?? false,
      text: textOf(field),
    }));
  return [...fields, ...filterOnly];
}

function filterOnlyOf(api: Description, path: string): Line[] {
  const filter = api.parameters(path).find(({ name }) => name === '$filter');
  return (filter?.['x-filter-only'] ?? []).map(({ name, type, many, operators }) => ({
    ...{ name, type: many ? `${type}[]` : type, operators, sortable: false, text: '' },
    isFilterOnly: true,
  }));
}

function relationNames(api: Description, path: string): readonly string[] {
  const expand = api.parameters(path).find(({ name }) => name === '$expand');
  return (expand?.schema.items?.enum ?? []).map(String);
}

function relationsOf(api: Description, path: string): string[] {
  const set = RECORDS.find((each) => each.path === path);
  const members = api.schema(set?.schema ?? '').properties ?? {};
  return relationNames(api, path).map((name) => {
    const related = members[name] ?? {};
    const [text = ''] = (related.description ?? '').split(' Only with ');
    return `\`${name}\`${membersOf(related)} ${text.replace(/\.$/, '')}`;
  });
}

// All members of an object without a component of its own, otherwise those of the relation.
function membersOf(schema: Schema): string {
  const target = schema.items ?? schema.oneOf?.[0] ?? schema;
  const component = target.$ref?.split('/').at(-1) ?? '';
  const names =
    target.$ref === undefined
      ? Object.keys(target.properties ?? {})
      : (component.split('With')[1]?.split('And') ?? []);
  return names.length === 0 ? '' : ` [${names.join(', ')}]`;
}

/** The most frequent operators of each type. */
function usualOperators(lines: readonly Line[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { type, operators, isFilterOnly } of lines) {
    if (operators.length === 0 || isFilterOnly) continue;
    const of = counts.get(kindOf(type)) ?? new Map<string, number>();
    counts.set(kindOf(type), of.set(operators.join(' '), (of.get(operators.join(' ')) ?? 0) + 1));
  }
  return new Map(
    [...counts].map(([type, of]) => [type, [...of].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '']),
  );
}

function kindOf(type: string): string {
  return type.replace('[]', '').replace(/^closed .*/, 'closed');
}

function fieldLine(line: Line, usual: ReadonlyMap<string, string>): string {
  const { name, type, operators, sortable, text, isFilterOnly } = line;
  const isUsual = operators.join(' ') === usual.get(kindOf(type));
  const filter = operators.length === 0 ? '' : isUsual ? 'F' : `F(${operators.join(' ')})`;
  const use = [filter, sortable ? 'S' : '', isFilterOnly ? 'filter only' : 'C'].filter(Boolean);
  return `- \`${name}\` ${type} ${use.join(' ')}${text === '' ? '' : `: ${text}`}`;
}

function textOf({ description = '' }: Schema): string {
  return (description.split(' Use: ')[0] ?? '')
    .replace(' In whole US dollars.', '')
    .replace(/\.$/, '');
}

function typeOf(api: Description, schema: Schema): string {
  const referred = [schema, ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].find(
    (each) => each.$ref !== undefined,
  );
  if (referred?.$ref !== undefined) return `closed ${referred.$ref.split('/').at(-1)}`;
  if (schema.type === 'array') return `${typeOf(api, schema.items ?? {})}[]`;
  if (schema['x-unit'] !== undefined) return 'usd';
  if (schema.enum !== undefined) return `closed (${schema.enum.filter(Boolean).join(', ')})`;
  if (schema.type === 'object')
    return `object of ${Object.keys(schema.properties ?? {}).join(', ')}`;
  if (schema.format === 'date-time') return 'instant';
  if (schema.format === 'date' || schema.format === 'uuid') return schema.format;
  return schema.type === 'string' ? 'text' : (schema.type ?? 'any');
}
