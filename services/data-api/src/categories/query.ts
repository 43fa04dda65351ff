/** The parameters of the category listings, checked for syntax only. */
import { DIMENSION_IDS } from '@vcds/venture-model';
import { SKIP } from '../collections/query.ts';
import { parseNarrowing, VALUES_LENGTH_MAX, type WrittenNarrowing } from '../narrowing/query.ts';
import type { ParameterReader } from '../request/parameter-reader.ts';
import { parseValueList } from '../request/value-list.ts';

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

/** Sizes of lists of values (docs/spec/limits.md 12.2). */
export const VALUES_TOP = { min: 1, max: 500, values: 100, facets: 25 } as const;

const Q_LENGTH_MAX = 100;
const ENTITY_LENGTH_MAX = 100;

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

/** `q`: values that begin with the text, or contain it after a leading `*`. */
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

function parseSearch(q: string): WrittenSearch {
  const anywhere = q.startsWith('*');
  return { text: anywhere ? q.slice(1).trim() : q, anywhere };
}
