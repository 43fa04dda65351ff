import { DIMENSION_IDS, type DimensionId } from '@vcds/venture-model';
import type { ParameterReader } from '../request/parameter-reader.ts';
import { parseValueList } from '../request/value-list.ts';

/** Characters of a list of values. */
export const VALUES_LENGTH_MAX = 32_000;

/** Values of a dimension as written, and their parameter. */
export interface WrittenNarrowing {
  readonly dimension: DimensionId;
  readonly parameter: string;
  readonly values: readonly string[];
}

/**
 * The values of every dimension id that is a parameter (docs/spec/categories.md 8.6).
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
