/**
 * The links of records that the facet index stores, for conditions that one related record has to meet as a
 * whole. The entity that has fewer of them for each record has them; they lead in both directions.
 */
import type { DimensionId } from './dimension.ts';
import { type EntityId, type EntityRelation, RELATIONS, type RelationId } from './entity.ts';

/** Links of the records of an entity. */
export interface EntityLinks {
  /** The relation that they are. */
  readonly relation: EntityRelation;
  /** In the facet table of the entity: a column `uuid[]`. */
  readonly ids: string;
  /** A value of the link itself, and the column `integer[]` of its codes. */
  readonly tag?: { readonly dimension: DimensionId; readonly sql: string; readonly codes: string };
}

export const LINKS: Readonly<Record<EntityId, readonly EntityLinks[]>> = Object.freeze({
  __proto__: null,
  startups: [
    {
      relation: relationOf('startups', 'startups.investors'),
      ids: 'fund_ids',
      tag: { dimension: 'exit_status', sql: 'link.status', codes: 'fund_statuses' },
    },
  ],
  funds: [],
  rounds: [
    { relation: relationOf('rounds', 'rounds.startup'), ids: 'startup_ids' },
    { relation: relationOf('rounds', 'rounds.investors'), ids: 'fund_ids' },
  ],
} satisfies { __proto__: null } & Record<EntityId, readonly EntityLinks[]>);

/** The relations by the links of the related record, and the relation that these are from its side. */
export const REVERSED: Partial<Readonly<Record<RelationId, RelationId>>> = Object.freeze({
  'startups.rounds': 'rounds.startup',
  'funds.portfolio': 'startups.investors',
  'funds.rounds': 'rounds.investors',
});

function relationOf(entity: EntityId, id: RelationId): EntityRelation {
  const found = RELATIONS[entity].find((each) => each.id === id);
  if (found === undefined) throw new RangeError(`There is no relation ${id}.`);
  return found;
}
