/** What is asked of the category listings (spec §4.3): well-formed, maybe senseless. */
import { DIMENSION_IDS, type DimensionId } from '../dimensions/index.ts';
import { SKIP } from './collection-query.ts';
import type { ParameterReader } from './parameter-reader.ts';
import { parseValueList } from './value-list.ts';

export const CATEGORIES_PARAMETERS = ['entity'] as const;
export const FACETS_PARAMETERS = ['entity', 'dimensions', 'top', ...DIMENSION_IDS] as const;
export const VALUES_PARAMETERS = [
  'entity',
  'q',
  'top',
  'skip',
  'counts',
  ...DIMENSION_IDS,
] as const;

/** Sizes of lists of values (spec §8.3). */
export const VALUES_TOP = { min: 1, max: 500, values: 100, facets: 25 } as const;

const Q_LENGTH_MAX = 100;
const VALUES_LENGTH_MAX = 32_000;
const ENTITY_LENGTH_MAX = 100;

/** Values of a dimension as written, and where. */
export interface WrittenNarrowing {
  readonly dimension: DimensionId;
  /** The parameter they were written in. */
  readonly parameter: string;
  readonly values: readonly string[];
}

export interface FacetsQuery {
  readonly entity: string | undefined;
  /** Undefined: every closed dimension of the entity. */
  readonly dimensions: readonly string[] | undefined;
  readonly top: number;
  readonly narrowing: readonly WrittenNarrowing[];
}

export interface ValuesQuery {
  readonly entity: string | undefined;
  readonly dimension: string;
  readonly search: WrittenSearch | undefined;
  readonly top: number;
  readonly skip: number;
  readonly counts: boolean;
  readonly narrowing: readonly WrittenNarrowing[];
}

/** `q`: values that begin with the text; with a `*` before it, that contain it. */
export interface WrittenSearch {
  readonly text: string;
  readonly anywhere: boolean;
}

export function parseEntityParameter(reader: ParameterReader): string | undefined {
  return reader.text('entity', ENTITY_LENGTH_MAX);
}

/** @throws ApiError `bad_parameter`. */
export function parseFacetsQuery(reader: ParameterReader): FacetsQuery {
  const dimensions = reader.text('dimensions', VALUES_LENGTH_MAX);
  return {
    entity: parseEntityParameter(reader),
    dimensions:
      dimensions === undefined ? undefined : [...new Set(parseValueList('dimensions', dimensions))],
    top: reader.integer('top', VALUES_TOP) ?? VALUES_TOP.facets,
    narrowing: parseNarrowing(reader),
  };
}

/** @throws ApiError `bad_parameter`. */
export function parseValuesQuery(reader: ParameterReader, dimension: string): ValuesQuery {
  const q = reader.text('q', Q_LENGTH_MAX)?.trim();
  return {
    entity: parseEntityParameter(reader),
    dimension,
    search: q === undefined ? undefined : parseSearch(q),
    top: reader.integer('top', VALUES_TOP) ?? VALUES_TOP.values,
    skip: reader.integer('skip', SKIP) ?? SKIP.default,
    counts: reader.boolean('counts') ?? true,
    narrowing: parseNarrowing(reader),
  };
}

/**
 * Every dimension id given as a parameter (spec §4.3 rules 1 and 3).
 *
 * @throws ApiError `bad_parameter`.
 */
export function parseNarrowing(reader: ParameterReader): readonly WrittenNarrowing[] {
  return DIMENSION_IDS.flatMap((dimension) => {
    const text = reader.text(dimension, VALUES_LENGTH_MAX);
    if (text === undefined) return [];
    return [{ dimension, parameter: dimension, values: parseValueList(dimension, text) }];
  });
}

function parseSearch(q: string): WrittenSearch {
  const anywhere = q.startsWith('*');
  return { text: anywhere ? q.slice(1).trim() : q, anywhere };
}
