import { echo, foldedName, namesMeant, oneOf, withHint } from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import {
  DIMENSION_IDS,
  DIMENSION_SYNONYMS,
  DIMENSIONS,
  type Dimension,
  type DimensionId,
  dimensionOf,
  dimensionsOf,
  ENTITIES,
  ENTITY_IDS,
  ENTITY_SYNONYMS,
  type Entity,
  entityOf,
} from '@vcds/venture-model';
import { type NarrowedEntity, planNarrowing } from '../narrowing/plan.ts';
import {
  COUNTED_DIMENSIONS_MAX,
  ENTITY_DEFAULT,
  type FacetsQuery,
  type ValuesQuery,
} from './query.ts';

/** Several dimensions counted at once (docs/spec/categories.md 8.8). */
export interface FacetsPlan {
  readonly of: NarrowedEntity;
  /** The entity's own, each once. */
  readonly dimensions: readonly Dimension[];
  readonly top: number;
}

/** The values of one dimension (docs/spec/categories.md 8.9). */
export interface ValuesPlan extends Omit<ValuesQuery, 'entity' | 'dimension' | 'narrowing'> {
  readonly of: NarrowedEntity;
  /** One of the entity's own. */
  readonly dimension: Dimension;
}

/**
 * Resolves a call of `/categories/facets`.
 *
 * @throws ApiError `unknown_entity`, `unknown_dimension`, `bad_parameter`; QueryError
 *   `unknown_value`.
 */
export function planFacets(query: FacetsQuery): FacetsPlan {
  const entity = planEntity(query.entity);
  if ((query.dimensions?.length ?? 0) > COUNTED_DIMENSIONS_MAX) throw tooManyDimensions();
  const dimensions =
    query.dimensions?.map((name) =>
      ownDimension(planDimension(name, 'dimensions', entity), entity, 'dimensions'),
    ) ?? dimensionsOf(entity.id).filter(({ kind }) => kind === 'closed');
  const by = planNarrowing(query.narrowing);
  return { of: { entity: entity.id, by }, dimensions, top: query.top };
}

/**
 * Resolves a call of `/categories/{dimension}`. The default entity is startups, or the first
 * entity that has the dimension.
 *
 * @throws as {@link planFacets}.
 */
export function planValues(query: ValuesQuery): ValuesPlan {
  const named = query.entity === undefined ? undefined : planEntity(query.entity);
  const dimension = planDimension(query.dimension, 'dimension', named);
  const entity = named ?? defaultEntity(dimension);
  return {
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
  const [suggestion] = namesMeant(
    name,
    ENTITY_IDS.map((id) => ({ name: id, synonyms: ENTITY_SYNONYMS[id] })),
  );
  const message =
    suggestion === undefined
      ? `Unknown entity '${echo(name)}'. Use ${oneOf(ENTITY_IDS)}.`
      : withHint(`Unknown entity '${echo(name)}'.`, suggestion);
  throw new ApiError('unknown_entity', message, {
    parameter: 'entity',
    value: name,
    allowed: ENTITY_IDS,
    suggestion,
    see: '/categories',
  });
}

/**
 * @param entity the entity to count, if it is known: only its dimensions are suggested.
 * @throws ApiError `unknown_dimension`.
 */
export function planDimension(name: string, parameter: string, entity?: Entity): Dimension {
  const dimension = dimensionOf(name);
  if (dimension !== undefined) return dimension;
  const allowed =
    entity === undefined ? DIMENSION_IDS : dimensionsOf(entity.id).map(({ id }) => id);
  const suggestion = dimensionMeant(name, allowed);
  const message = withHint(`Unknown dimension '${echo(name)}'.`, suggestion);
  throw new ApiError('unknown_dimension', message, {
    parameter,
    value: name,
    allowed,
    suggestion,
    see: '/categories',
  });
}

// The name of its filter field takes precedence over other systems' names of a dimension.
function dimensionMeant(name: string, ids: readonly DimensionId[]): string | undefined {
  const byField = DIMENSIONS.find(
    ({ id, filterField }) => ids.includes(id) && foldedName(filterField) === foldedName(name),
  );
  const known = ids.map((id) => ({ name: id, synonyms: DIMENSION_SYNONYMS[id] }));
  const same = ids.find((id) => foldedName(id) === foldedName(name));
  return same ?? byField?.id ?? namesMeant(name, known)[0];
}

function tooManyDimensions(): ApiError {
  return new ApiError(
    'bad_parameter',
    `A call can count at most ${COUNTED_DIMENSIONS_MAX} dimensions.`,
    {
      parameter: 'dimensions',
    },
  );
}

function defaultEntity({ entities }: Dimension): Entity {
  const [first = ENTITY_DEFAULT] = entities;
  return ENTITIES[entities.includes(ENTITY_DEFAULT) ? ENTITY_DEFAULT : first];
}

// Only a dimension of the entity itself can be counted; others can only narrow.
function ownDimension(dimension: Dimension, entity: Entity, parameter: string): Dimension {
  if (dimension.entities.includes(entity.id)) return dimension;
  const own = dimensionsOf(entity.id).map(({ id }) => id);
  throw new ApiError(
    'unknown_dimension',
    `${dimension.id} is a dimension of ${dimension.entities.join(' and ')}, not of ${entity.id}: ` +
      `use it to narrow ${entity.id}, not to count them.`,
    {
      parameter,
      value: dimension.id,
      allowed: own,
      see: `/categories?entity=${entity.id}`,
    },
  );
}
