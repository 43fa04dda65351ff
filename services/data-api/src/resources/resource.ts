import type { Scope } from '@vcds/credentials';
import { type FieldTable, fieldTable } from '@vcds/odata-query';
import { FIELD_SYNONYMS } from '@vcds/venture-model';
import type { Member, ResourceField, RowSql } from './field.ts';
import type { ResourceName } from './index.ts';

/** The search that finds the id for a field; for `Id` it depends on the resource. */
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
      /** Records of another resource: its fields, then those of the relation. */
      readonly kind: 'records';
      readonly target: ResourceName;
      /** `FROM … WHERE …` with the alias `t` for the row of the target. */
      readonly from: RowSql;
      readonly many: boolean;
      readonly extra?: readonly (Member & { readonly sql: string })[];
      /** The order of many records: the newest first. */
      readonly orderBy?: string;
      /** Their number as a derived column, where they can be many. */
      readonly storedCount?: RowSql;
    }
  | {
      /** Anything else: a query of a list of objects, with its order. */
      readonly kind: 'json';
      readonly members: readonly Member[];
      readonly rows: RowSql;
    }
);

/** The definition of a resource: how to list, filter and expand it. */
export interface Resource {
  readonly name: string;
  /** The scope that a key needs for its records, in its collection and in expands. */
  readonly scope: Scope;
  /** Its title in documentation. */
  readonly title: string;
  readonly fields: FieldTable<ResourceField>;
  /** The fields of a call without `$select`; always the same array. */
  readonly defaultFields: readonly ResourceField[];
  readonly relations: ReadonlyMap<string, Relation>;
  /** The table of the rows, without alias; it includes deleted rows. */
  readonly table: string;
  /** The condition for every listed row. */
  readonly live: RowSql;
  /** The column that ends every order, so that paging is stable. It is unique and never null. */
  readonly tieBreak: string;
  readonly tieBreakType: 'uuid' | 'text';
  /** The call for one record, with `{id}`; of a resource with relations to many records. */
  readonly recordCall: string | undefined;
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
  readonly tieBreakType?: Resource['tieBreakType'];
  readonly recordCall?: string;
}

function synonymsOf(field: string, of: string): readonly string[] | undefined {
  const rows: Readonly<Record<string, readonly string[] | undefined>> = FIELD_SYNONYMS;
  return rows[`${of}.${field}`] ?? rows[field];
}

// Adds the synonyms and the `see` that errors use.
function described(field: ResourceField, of: string): ResourceField {
  const synonyms = synonymsOf(field.name, of.endsWith('Person') ? 'person' : of);
  const search = field.name === 'Id' ? SEARCH_BY_RESOURCE[of] : SEARCH_BY_FIELD[field.name];
  const see = field.see ?? (field.type === 'uuid' ? search : undefined);
  return { ...field, ...(synonyms && { synonyms }), ...(see && { see }) };
}

/** @throws TypeError if two fields or relations have the same name. */
export function resource(declaration: Declaration): Resource {
  const relations = declaration.relations ?? [];
  const byName = new Map(relations.map((relation) => [relation.name, relation]));
  if (byName.size !== relations.length) {
    throw new TypeError(`A relation of ${declaration.name} is declared twice.`);
  }
  const fields = fieldTable(
    declaration.fields.map((field) => described(field, declaration.name)),
    declaration.title.toLowerCase(),
  );
  return Object.freeze({
    name: declaration.name,
    scope: declaration.scope,
    title: declaration.title,
    table: declaration.table,
    fields,
    defaultFields: [...fields.values()].filter((field) => field.selectable !== false),
    relations: byName,
    live: declaration.live ?? ((row) => `${row}.deleted_at IS NULL`),
    tieBreak: declaration.tieBreak ?? 'id',
    tieBreakType: declaration.tieBreakType ?? 'uuid',
    recordCall: declaration.recordCall,
  });
}
