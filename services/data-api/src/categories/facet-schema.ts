/** The facet engine's interface for the entities and dimensions of the venture model. */
import type * as engine from '@vcds/facet-engine';
import type { DimensionId, EntityId, IndexedId } from '@vcds/venture-model';

export type Narrowing = engine.Narrowing<DimensionId>;
export type FacetRequest = engine.FacetRequest<DimensionId>;
export type FacetQuery = engine.FacetQuery<EntityId, DimensionId>;
export type FacetCounts = engine.FacetCounts<DimensionId>;
export type AggregateQuery = engine.AggregateQuery<EntityId, DimensionId, IndexedId>;
export type FacetEngine = engine.FacetEngine<EntityId, DimensionId>;
export type LoadedFacetEngine = engine.LoadedFacetEngine<EntityId, DimensionId, IndexedId>;
