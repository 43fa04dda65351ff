/** The entities whose records are grouped: those of dimensions, and valuations, which have those of their company. */
import type { EntityId } from '@vcds/venture-model';
import { type Resource, resources } from '../resources/index.ts';

export type AggregateEntityId = EntityId | 'valuations';

/** In the order in which they are listed. */
export const AGGREGATE_ENTITIES: Readonly<Record<AggregateEntityId, Resource>> = Object.freeze({
  __proto__: null,
  startups: resources.startup,
  funds: resources.fund,
  rounds: resources.fundingRound,
  valuations: resources.postValuation,
} as const);

export const AGGREGATE_ENTITY_IDS = Object.freeze(
  Object.keys(AGGREGATE_ENTITIES) as AggregateEntityId[],
);
