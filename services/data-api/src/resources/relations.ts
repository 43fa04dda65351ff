/** The kinds of relations that several resources have. */
import type { ClosedValue } from '@vcds/odata-query';
import { exitStatuses } from '@vcds/venture-model';
import type { Member, RowSql } from './field.ts';
import type { Relation } from './resource.ts';

type Company = 'startup' | 'fund';

/** The members of an address, in the order of the response. */
export const ADDRESS_MEMBERS = ['Street', 'PostalCode', 'City', 'Region', 'Country'] as const;

const members = ADDRESS_MEMBERS.map((name) => `a.value ->> '${name}' AS "${name}"`).join(', ');

/** The status of the holding with the alias `h`. */
export const HOLDING_STATUS = {
  type: 'closed',
  closed: exitStatuses,
  notNull: true,
  sql: 'h.status',
} as const;

/** A relation to objects: the rows of an SQL query, with its order. */
export function jsonRelation(
  name: string,
  description: string,
  members: readonly Member[],
  rows: RowSql,
): Relation {
  return { name, description, kind: 'json', members, rows };
}

export const TAGS = namesRelation('Tags', 'The industry tags.', 'tags');

/** The identifiers of a company, in their order. */
export const IDENTIFIERS = jsonRelation(
  'Identifiers',
  'The identifiers: domains, profiles, numbers of registers.',
  [textMember('Scheme'), textMember('Value')],
  (row) => `SELECT split_part(i.value, ':', 1) AS "Scheme",
      substr(i.value, strpos(i.value, ':') + 1) AS "Value"
    FROM unnest(${row}.identifiers) WITH ORDINALITY AS i(value, position) ORDER BY i.position`,
);

/** The addresses of a company, each with all members; an unknown member is null. */
export const ADDRESSES = jsonRelation(
  'Addresses',
  'The registered addresses, the main one first.',
  ADDRESS_MEMBERS.map((name) => ({ name, type: 'text' })),
  (row) => `SELECT ${members}
    FROM jsonb_array_elements(${row}.addresses) WITH ORDINALITY AS a(value, position)
    ORDER BY a.position`,
);

/** The company whose id is in `column`, if it is not deleted. */
export function companyRelation(target: Company, column: string, description: string): Relation {
  return {
    name: target === 'startup' ? 'Startup' : 'Fund',
    description,
    kind: 'records',
    target,
    many: false,
    from: (row) =>
      `FROM venture.${target} t WHERE t.id = ${row}.${column} AND t.deleted_at IS NULL`,
  };
}

/** The people of a company, with their title there. */
export function personsRelation(company: Company, description: string): Relation {
  const title = 'coalesce(j.title, t.title)';
  return membersRelation('Persons', description, company, { to: 'person', from: company }, title);
}

/** The companies of a person, with the title there. */
export function companiesOfPerson(company: Company, description: string): Relation {
  const name = company === 'startup' ? 'Startups' : 'Funds';
  return membersRelation(name, description, company, { to: company, from: 'person' }, 'j.title');
}

function membersRelation(
  name: string,
  description: string,
  company: Company,
  { to, from }: { readonly to: Company | 'person'; readonly from: Company | 'person' },
  title: string,
): Relation {
  return {
    name,
    description,
    kind: 'records',
    target: to,
    many: true,
    from: (row) => `FROM venture.${company}_person j JOIN venture.${to} t ON t.id = j.${to}_id
      WHERE j.${from}_id = ${row}.id AND j.deleted_at IS NULL AND t.deleted_at IS NULL`,
    extra: [
      { name: 'Title', type: 'text', sql: title },
      { name: 'Since', type: 'date', sql: 'j.since' },
    ],
    orderBy: 'j.since DESC NULLS LAST, t.id DESC',
  };
}

/**
 * The values of an array column as objects `{Value, Name, Slug, Label}`, in the order of the
 * closed list.
 */
export function closedRelation(
  name: string,
  description: string,
  column: string,
  values: readonly ClosedValue[],
): Relation {
  const members: readonly Member[] = [
    { name: 'Value', type: 'closed', closed: values, notNull: true },
    ...['Name', 'Slug', 'Label'].map((each): Member => textMember(each)),
  ];
  return jsonRelation(name, description, members, closedObjects(column, values));
}

function closedObjects(column: string, values: readonly ClosedValue[]): RowSql {
  const isNumbered = typeof values[0]?.value === 'number';
  const rows = values
    .map(({ value, name, slug, label }, index) => {
      const sqlValue = isNumbered ? `${value}::smallint` : literal(String(value));
      return `(${index}, ${sqlValue}, ${literal(name)}, ${literal(slug)}, ${literal(label)})`;
    })
    .join(', ');
  return (row) =>
    `SELECT c.value AS "Value", c.name AS "Name", c.slug AS "Slug", c.label AS "Label"
      FROM (VALUES ${rows}) AS c(position, value, name, slug, label)
      WHERE c.value = ANY (${row}.${column}) ORDER BY c.position`;
}

/** The texts of an array column as objects `{Name}`. */
export function namesRelation(name: string, description: string, column: string): Relation {
  const rows = (row: string) =>
    `SELECT n.value AS "Name" FROM unnest(${row}.${column}) WITH ORDINALITY AS n(value, position)
      ORDER BY n.position`;
  return jsonRelation(name, description, [textMember('Name')], rows);
}

function textMember(name: string): Member {
  return { name, type: 'text', notNull: true };
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
