/** The parameters of the category listings, checked for syntax only. */
import { DIMENSION_IDS, ENTITY_IDS, type EntityId } from '@vcds/venture-model';
import { SKIP } from '../collections/query.ts';
import {
  NARROWING_PARAMETERS,
  parseNarrowing,
  VALUES_LENGTH_MAX,
  type WrittenNarrowing,
} from '../narrowing/query.ts';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type {
  BooleanParameter,
  IntegerParameter,
  Parameter,
  TextParameter,
} from '../serve/request/parameters.ts';
import { parseValueList } from '../serve/request/value-list.ts';

/** Facet dimensions of one call (docs/spec/limits.md 12.2). */
export const COUNTED_DIMENSIONS_MAX = 10;
/** The entity of a call that names none. */
export const ENTITY_DEFAULT: EntityId = 'startups';

/** Sizes of lists of values (docs/spec/limits.md 12.2). */
const VALUES_TOP = { kind: 'integer', name: 'top', min: 1, max: 500 } as const;
export const TOP_VALUES: IntegerParameter = {
  ...VALUES_TOP,
  default: 100,
  description: 'The most values to return.',
};
export const TOP_FACETS: IntegerParameter = {
  ...VALUES_TOP,
  default: 25,
  description: 'The most values to return for each dimension.',
};
const SKIP_VALUES: IntegerParameter = {
  ...SKIP,
  name: 'skip',
  description: 'The number of values to skip.',
};
const COUNTS: BooleanParameter = {
  kind: 'boolean',
  name: 'counts',
  default: true,
  description:
    'With `false` the values have no counts, in another order. The price stays the same.',
};
const ENTITY: TextParameter = {
  kind: 'choice',
  name: 'entity',
  lengthMax: 100,
  values: ENTITY_IDS,
  default: ENTITY_DEFAULT,
  description: 'The entity whose records are counted.',
};
const ENTITY_OF_VALUES: TextParameter = {
  ...ENTITY,
  description: `${ENTITY.description} Without ${ENTITY_DEFAULT}, the first that has the dimension.`,
};
const COUNTED: TextParameter = {
  kind: 'list',
  name: 'dimensions',
  lengthMax: VALUES_LENGTH_MAX,
  values: DIMENSION_IDS,
  itemsMax: COUNTED_DIMENSIONS_MAX,
  description: 'The dimensions to count; by default every closed one of the entity.',
  example: ['stage', 'country'],
};
const Q: TextParameter = {
  kind: 'text',
  name: 'q',
  lengthMax: 100,
  description:
    'Only values that begin with the text, or contain it after a leading `*`; ignores case and accents. ' +
    'If there are none, those that resemble it.',
};

export const CATEGORIES_PARAMETERS: readonly Parameter[] = [ENTITY];
export const FACETS_PARAMETERS: readonly Parameter[] = [
  ...[ENTITY, COUNTED, TOP_FACETS],
  ...NARROWING_PARAMETERS,
];
export const VALUES_PARAMETERS: readonly Parameter[] = [
  ...[ENTITY_OF_VALUES, Q, TOP_VALUES, SKIP_VALUES, COUNTS],
  ...NARROWING_PARAMETERS,
];

export interface FacetsQuery {
  readonly entity: string | undefined;
  /** Undefined: every closed dimension of the entity. */
  readonly dimensions: readonly string[] | undefined;
  readonly top: number;
  readonly narrowing: readonly WrittenNarrowing[];
}

export interface ValuesQuery extends Omit<FacetsQuery, 'dimensions'> {
  readonly dimension: string;
  readonly search: WrittenSearch | undefined;
  readonly skip: number;
  readonly counts: boolean;
}

/** `q`: values that begin with the text, or contain it after a leading `*`. */
export interface WrittenSearch {
  readonly text: string;
  readonly anywhere: boolean;
}

export function parseEntityParameter(reader: ParameterReader): string | undefined {
  return reader.text(ENTITY);
}

/** @throws ApiError `bad_parameter`. */
export function parseFacetsQuery(reader: ParameterReader): FacetsQuery {
  const dimensions = reader.text(COUNTED);
  return {
    entity: parseEntityParameter(reader),
    dimensions:
      dimensions === undefined ? undefined : [...new Set(parseValueList('dimensions', dimensions))],
    top: reader.integer(TOP_FACETS),
    narrowing: parseNarrowing(reader),
  };
}

/** @throws ApiError `bad_parameter`. */
export function parseValuesQuery(reader: ParameterReader, dimension: string): ValuesQuery {
  const q = reader.text(Q)?.trim();
  return {
    entity: parseEntityParameter(reader),
    dimension,
    search: q === undefined ? undefined : parseSearch(q),
    top: reader.integer(TOP_VALUES),
    skip: reader.integer(SKIP_VALUES),
    counts: reader.boolean(COUNTS),
    narrowing: parseNarrowing(reader),
  };
}

function parseSearch(q: string): WrittenSearch {
  const anywhere = q.startsWith('*');
  return { text: anywhere ? q.slice(1).trim() : q, anywhere };
}
