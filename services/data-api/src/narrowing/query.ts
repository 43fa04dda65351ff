import { BOUNDS } from '@vcds/odata-query';
import { DIMENSIONS, type DimensionId } from '@vcds/venture-model';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { TextParameter } from '../serve/request/parameters.ts';
import { parseValueList } from '../serve/request/value-list.ts';

/** Characters of a list of values. */
export const VALUES_LENGTH_MAX = 32_000;

/** A parameter for every dimension (docs/spec/categories.md 8.6). */
export const NARROWING_PARAMETERS = DIMENSIONS.map(
  ({ id, title, description }): TextParameter & { readonly name: DimensionId } => ({
    kind: 'list',
    name: id,
    lengthMax: VALUES_LENGTH_MAX,
    itemsMax: BOUNDS.listValues,
    description: `${title}: any of the values. ${description}`,
  }),
);

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
  return NARROWING_PARAMETERS.flatMap((row) => {
    const text = reader.text(row);
    if (text === undefined) return [];
    const dimension = row.name;
    return [{ dimension, parameter: dimension, values: parseValueList(dimension, text) }];
  });
}
