import { echo, nearest } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/refusals';
import {
  DIMENSION_IDS,
  type Dimension,
  dimensionOf,
  dimensionsOf,
  ENTITIES,
  ENTITY_IDS,
  type Entity,
  type EntityId,
  entityOf,
} from '../dimensions/index.ts';
import type { FacetsQuery, ValuesQuery } from '../parse/category-query.ts';
import type { FacetsPlan, ValuesPlan } from './category-plan.ts';
import { planNarrowing } from './plan-narrowing.ts';

/** Facet dimensions of one call (spec §8.3). */
const DIMENSIONS_MAX = 10;
const ENTITY_DEFAULT: EntityId = 'startups';

/**
 * Resolves a call of `/categories/facets`.
 *
 * @throws ApiError `unknown_entity`, `unknown_dimension`, `bad_parameter`; QueryError
 *   `unknown_value`.
 */
export function planFacets(query: FacetsQuery): FacetsPlan {
  const entity = planEntity(query.entity);
  if ((query.dimensions?.length ?? 0) > DIMENSIONS_MAX) throw tooManyDimensions();
  const dimensions =
    query.dimensions?.map((name) =>
      ownDimension(planDimension(name, 'dimensions'), entity, 'dimensions'),
    ) ?? dimensionsOf(entity.id).filter(({ kind }) => kind === 'closed');
  const by = planNarrowing(query.narrowing);
  return { kind: 'facets', of: { entity: entity.id, by }, dimensions, top: query.top };
}

/**
 * Resolves a call of `/categories/{dimension}`. Without an entity it is of startups, or of the
 * first entity the dimension is a fact of.
 *
 * @throws as {@link planFacets}.
 */
export function planValues(query: ValuesQuery): ValuesPlan {
  const dimension = planDimension(query.dimension, 'dimension');
  const entity = query.entity === undefined ? defaultEntity(dimension) : planEntity(query.entity);
  return {
    kind: 'values',
    of: { entity: entity.id, by: planNarrowing(query.narrowing) },
    dimension: ownDimension(dimension, entity, 'dimension'),
    search: query.search,
    top: query.top,
    skip: query.skip,
    counts: query.counts,
  };
}

/** @throws ApiError `unknown_entity`. */
export function planEntity(name: string = ENTITY_DEFAULT): Entity {
  const entity = entityOf(name);
  if (entity !== undefined) return entity;
  const suggestion = nearest(name, ENTITY_IDS);
  throw new ApiError(
    'unknown_entity',
    `There are no categories of '${echo(name)}', but of ${ENTITY_IDS.join(', ')}.`,
    { parameter: 'entity', value: name, allowed: ENTITY_IDS, suggestion, see: '/categories' },
  );
}

/** @throws ApiError `unknown_dimension` for a name no dimension has. */
export function planDimension(name: string, parameter: string): Dimension {
  const dimension = dimensionOf(name);
  if (dimension !== undefined) return dimension;
  const suggestion = nearest(name, DIMENSION_IDS);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  throw new ApiError('unknown_dimension', `There is no dimension '${echo(name)}'.${hint}`, {
    parameter,
    value: name,
    allowed: DIMENSION_IDS,
    suggestion,
    see: '/categories',
  });
}

function tooManyDimensions(): ApiError {
  return new ApiError('bad_parameter', `A call counts at most ${DIMENSIONS_MAX} dimensions.`, {
    parameter: 'dimensions',
  });
}

function defaultEntity({ entities }: Dimension): Entity {
  const [first = ENTITY_DEFAULT] = entities;
  return ENTITIES[entities.includes(ENTITY_DEFAULT) ? ENTITY_DEFAULT : first];
}

// What is counted must be a fact of the entity (decisions §5); any other can only narrow.
function ownDimension(dimension: Dimension, entity: Entity, parameter: string): Dimension {
  if (dimension.entities.includes(entity.id)) return dimension;
  const own = dimensionsOf(entity.id).map(({ id }) => id);
  throw new ApiError(
    'unknown_dimension',
    `${dimension.id} is a dimension of ${dimension.entities.join(' and ')}, not of ${entity.id}: ` +
      `it narrows ${entity.id}, but divides ${dimension.entities.join(' and ')} only.`,
    {
      parameter,
      value: dimension.id,
      allowed: own,
      see: `/categories?entity=${entity.id}`,
    },
  );
}
