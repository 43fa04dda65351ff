/** The product's tables for the explorer, computed at build time as part of the page. */
import { RATE_CARD } from '@vcds/metering';
import { DIMENSIONS } from '@vcds/venture-model';
import {
  type Catalogue,
  type CatalogueDimension,
  ENTITY_NAMES,
  type EntityName,
} from './entities.ts';

/** Those that are shown first. */
const FIRST = ['country', 'industry', 'round_stage', 'stage', 'investor_type'];

export function catalogueOf(): Catalogue {
  const dimensions = ENTITY_NAMES.map((name) => [name, dimensionsOf(name)] as const);
  const prices = RATE_CARD.map(({ path, base, perRecordQuarters: quarters }) => {
    return [path, { base, perRecord: quarters / 4 }] as const;
  });
  return {
    dimensions: Object.fromEntries(dimensions) as unknown as Catalogue['dimensions'],
    prices: Object.fromEntries(prices),
  };
}

/** Those of which a record has values of its own, or those of the one record that it belongs to. */
function dimensionsOf(entity: EntityName): CatalogueDimension[] {
  const owner = entity === 'valuations' ? 'startups' : entity;
  return DIMENSIONS.filter(({ readings }) => readings[owner].through?.many !== true)
    .map(({ id, title, description, entities, isOrdinal, closed = [] }) => ({
      ...{ id, title, description, isOrdinal },
      isCounted: entity === owner && entities.includes(owner),
      values: closed.map(({ label }) => label),
    }))
    .sort((one, other) => rank(one.id) - rank(other.id));
}

function rank(id: string): number {
  return FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length;
}
