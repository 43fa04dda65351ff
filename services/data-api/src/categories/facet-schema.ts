/** The facet engine's interface for the entities and dimensions of the venture model. */
import type * as engine from '@vcds/facet-engine';
import {
  type DimensionId,
  ENTITIES,
  ENTITY_IDS,
  type EntityId,
  INDEXED,
  type IndexedId,
} from '@vcds/venture-model';

export type Narrowing = engine.Narrowing<DimensionId>;
export type FacetRequest = engine.FacetRequest<DimensionId>;
export type FacetQuery = engine.FacetQuery<EntityId, DimensionId>;
export type FacetCounts = engine.FacetCounts<DimensionId>;
export type RecordQuery = engine.RecordQuery<EntityId, IndexedId>;
export type RecordCount = engine.RecordCount;
export type FirstRecordsQuery = engine.FirstRecordsQuery<EntityId, IndexedId>;
export type FirstRecords = engine.FirstRecords;
export type FacetEngine = engine.FacetEngine<EntityId, DimensionId>;
export type LoadedFacetEngine = engine.LoadedFacetEngine<EntityId, DimensionId, IndexedId>;

export const FACET_SCHEMA: engine.FacetSchema<EntityId, IndexedId> = {
  entities: ENTITY_IDS.map((id) => ({ id, table: ENTITIES[id].facetTable })),
  dimensions: INDEXED.map(({ id, number, isOrdinal }) => ({ id, number, isNumeric: isOrdinal })),
  valueTable: 'venture.dimension_value',
  stateTable: 'venture.facet_state',
  batchTable: 'venture.facet_batch',
};
