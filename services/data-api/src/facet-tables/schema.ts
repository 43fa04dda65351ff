/** The tables of the facet index, for the engines that read them. */
import type { FacetSchema, RelationSchema } from '@vcds/facet-engine';
import {
  ENTITIES,
  ENTITY_IDS,
  type EntityId,
  type EntityRelation,
  FIGURES,
  INDEXED,
  type IndexedId,
  LINKS,
  RELATIONS,
  REVERSED,
} from '@vcds/venture-model';

export const FACET_SCHEMA: FacetSchema<EntityId, IndexedId> = {
  entities: ENTITY_IDS.map((id) => ({
    id,
    table: ENTITIES[id].facetTable,
    figures: FIGURES[id].map((each) => each.id),
    links: LINKS[id].map(({ relation, ids, tag }) => ({
      ...{ to: relation.to, ids },
      ...(tag && { tags: tag.codes }),
    })),
  })),
  dimensions: INDEXED.map(({ id, number, isOrdinal }) => ({ id, number, isNumeric: isOrdinal })),
  relations: ENTITY_IDS.flatMap((from) => RELATIONS[from].map((each) => relation(from, each))),
  valueTable: 'venture.dimension_value',
  stateTable: 'venture.facet_state',
  batchTable: 'venture.facet_batch',
};

function relation(from: EntityId, { id, to }: EntityRelation): RelationSchema<EntityId, IndexedId> {
  const reversed = REVERSED[id];
  const links = LINKS[reversed === undefined ? from : to];
  const index = links.findIndex((each) => each.relation.id === (reversed ?? id));
  const tag = reversed && links[index]?.tag?.dimension;
  return {
    ...{ id, from, to },
    links: { of: reversed === undefined ? 'from' : 'to', index },
    ...(tag && { tag }),
  };
}
