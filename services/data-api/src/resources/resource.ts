import type { Scope } from '@vcds/credentials';
import { type FieldTable, fieldTable } from '@vcds/odata-query';
import type { ResourceField, RowSql } from './field.ts';
import { FIELD_SYNONYMS } from './field-synonyms.ts';
import type { ResourceName } from './index.ts';

/** What turns a name into the id a field takes; `Id` is that of the resource itself. */
const SEARCH_BY_FIELD: Readonly<Record<string, string>> = {
  StartupId: '/startups/search?q={value}',
  Startup: '/startups/search?q={value}',
  FundId: '/funds/search?q={value}',
  Investor: '/funds/search?q={value}',
  FundingRoundId: '/startups/fundingrounds?$top=1',
};
const SEARCH_BY_RESOURCE: Readonly<Record<string, string>> = {
  startup: '/startups/search?q={value}',
  fund: '/funds/search?q={value}',
};

/** A relation named in `$expand` (docs/spec/resources.md 4.2). */
export type Relation = {
  readonly name: string;
  readonly description: string;
} & (
  | {
      /** Records of another resource: its stored fields, then what the relation itself says. */
      readonly kind: 'records';
      readonly target: ResourceName;
      /** `FROM … WHERE …` with the target's row under the alias `t`. */
      readonly from: RowSql;
      readonly many: boolean;
      readonly extra?: readonly (readonly [name: string, sql: string])[];
      readonly orderBy?: string;
    }
  | {
      /** Anything else: one SQL expression of type json. */
      readonly kind: 'json';
      readonly sql: RowSql;
    }
);

/** A resource: all there is to know to list it, filter it, and expand it. */
export interface Resource {
  readonly name: string;
  /** The scope that a key needs for its records, in its collection and in expands. */
  readonly scope: Scope;
  /** Its title in documentation. */
  readonly title: string;
  readonly fields: FieldTable<ResourceField>;
  readonly relations: ReadonlyMap<string, Relation>;
  /** What rows are read from, without alias; deleted rows are among them. */
  readonly table: string;
  /** The condition every listed row meets. */
  readonly live: RowSql;
  /** The field that ends every order, so that paging is stable. */
  readonly tieBreak: string;
}

interface Declaration {
  readonly name: string;
  readonly scope: Scope;
  readonly title: string;
  readonly table: string;
  readonly fields: readonly ResourceField[];
  readonly relations?: readonly Relation[];
  readonly live?: RowSql;
  readonly tieBreak?: string;
}

function synonymsOf(field: string, of: string): readonly string[] | undefined {
  const rows: Readonly<Record<string, readonly string[] | undefined>> = FIELD_SYNONYMS;
  return rows[`${of}.${field}`] ?? rows[field];
}

// What suggestions and `see` of errors are made of.
function described(field: ResourceField, of: string): ResourceField {
  const synonyms = synonymsOf(field.name, of.endsWith('Person') ? 'person' : of);
  const search = field.name === 'Id' ? SEARCH_BY_RESOURCE[of] : SEARCH_BY_FIELD[field.name];
  const see = field.see ?? (field.type === 'uuid' ? search : undefined);
  return { ...field, ...(synonyms && { synonyms }), ...(see && { see }) };
}

/** Makes a resource of its declaration; two fields or relations of one name are a fault. */
export function resource(declaration: Declaration): Resource {
  const relations = declaration.relations ?? [];
  const byName = new Map(relations.map((relation) => [relation.name, relation]));
  if (byName.size !== relations.length) {
    throw new TypeError(`A relation of ${declaration.name} is declared twice.`);
  }
  return Object.freeze({
    name: declaration.name,
    scope: declaration.scope,
    title: declaration.title,
    table: declaration.table,
    fields: fieldTable(
      declaration.fields.map((field) => described(field, declaration.name)),
      declaration.title.toLowerCase(),
    ),
    relations: byName,
    live: declaration.live ?? ((row) => `${row}.deleted_at IS NULL`),
    tieBreak: declaration.tieBreak ?? 'id',
  });
}
