/** The entities whose records are grouped: those of dimensions, and valuations. */
import {
  type Dimension,
  type EntityId,
  isListedOfStartup,
  type Reading,
} from '@vcds/venture-model';
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

/** The record that has a dimension of a valuation, and how it is read there. */
export interface ValuationReading {
  readonly of: 'valuation' | 'round' | 'company';
  readonly reading: Reading;
}

const COLUMNS: Readonly<Record<string, string>> = {
  round_stage: 'round_stage',
  round_year: 'year',
};

/**
 * Dimensions of rounds are those of the round of a valuation (docs/spec/aggregates.md 22.3): its stage and year are facts
 * of the valuation, the others are null without a round. All other dimensions are those of its company.
 */
export function ofValuation({ id, entities, readings }: Dimension): ValuationReading {
  const column = COLUMNS[id];
  if (column !== undefined) {
    return { of: 'valuation', reading: { sql: (row) => `${row}.${column}`, many: false } };
  }
  return entities.includes('rounds')
    ? { of: 'round', reading: readings.rounds }
    : { of: 'company', reading: readings.startups };
}

/** `FROM … WHERE …` from a valuation to the record that has a dimension, under the alias `owner`. */
export const VALUATION_OWNERS = {
  round: (row: string) =>
    `FROM venture.funding_round AS owner WHERE owner.id = ${row}.round_id AND ${isListedOfStartup('owner')}`,
  company: (row: string) => `FROM venture.startup AS owner WHERE owner.id = ${row}.startup_id`,
} as const;
