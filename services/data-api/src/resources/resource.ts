import { type FieldTable, fieldTable } from '@vcds/odata-query';
import type { ResourceField, RowSql } from './field.ts';

export type ResourceName =
  | 'fund'
  | 'startup'
  | 'fundingRound'
  | 'postValuation'
  | 'person'
  | 'news'
  | 'holding'
  | 'startupPerson'
  | 'fundPerson'
  | 'reference';

/** A relation named in `$expand` (spec §2.2). */
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
  readonly name: ResourceName;
  /** As documentation titles it. */
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
  readonly name: ResourceName;
  readonly title: string;
  readonly table: string;
  readonly fields: readonly ResourceField[];
  readonly relations?: readonly Relation[];
  readonly live?: RowSql;
  readonly tieBreak?: string;
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
    title: declaration.title,
    table: declaration.table,
    fields: fieldTable(declaration.fields),
    relations: byName,
    live: declaration.live ?? ((row) => `${row}.deleted_at IS NULL`),
    tieBreak: declaration.tieBreak ?? 'id',
  });
}
