/** The parameters of `/aggregates`, checked for syntax only (docs/spec/aggregates.md 22.1). */
import { BOUNDS, type FilterNode, parseFilter } from '@vcds/odata-query';
import { ENTITY_DEFAULT } from '../categories/query.ts';
import { FILTER } from '../collections/query.ts';
import { NARROWING_PARAMETERS, parseNarrowing, type WrittenNarrowing } from '../narrowing/query.ts';
import type { ParameterReader } from '../serve/request/parameter-reader.ts';
import type { IntegerParameter, Parameter, TextParameter } from '../serve/request/parameters.ts';
import { parseValueList } from '../serve/request/value-list.ts';
import { AGGREGATE_ENTITY_IDS } from './entities.ts';

/** Measures and keys of one call (docs/spec/limits.md 12.2). */
export const MEASURES_MAX = 10;
export const KEYS_MAX = 3;
const NAMES_LENGTH_MAX = 1_000;

const ENTITY: TextParameter = {
  kind: 'choice',
  name: 'entity',
  lengthMax: 100,
  values: AGGREGATE_ENTITY_IDS,
  default: ENTITY_DEFAULT,
  description: 'The entity whose records are grouped.',
};
const MEASURES: TextParameter = {
  kind: 'list',
  name: 'measures',
  lengthMax: NAMES_LENGTH_MAX,
  itemsMax: MEASURES_MAX,
  description:
    'The numbers of each group: `count`, and `sum`, `average`, `min`, `max`, `median`, `p25`, `p75`, `p90` ' +
    'or `countdistinct` of a field, as `median(Amount)`. By default `count`.',
  example: ['count', 'median(Amount)'],
};
const BY: TextParameter = {
  kind: 'list',
  name: 'by',
  lengthMax: NAMES_LENGTH_MAX,
  itemsMax: KEYS_MAX,
  description:
    'The keys of the groups: dimensions, and `year`, `quarter` or `month` of a date, as `quarter(Date)`. ' +
    'Without keys there is one group.',
  example: ['country', 'quarter(Date)'],
};
const ORDER_BY: TextParameter = {
  kind: 'list',
  name: 'orderby',
  lengthMax: NAMES_LENGTH_MAX,
  itemsMax: MEASURES_MAX + KEYS_MAX,
  description:
    'The order of the groups: measures and keys of the call, ascending unless followed by `desc`. By default ' +
    'time ascending if the first key is one of time, else the most records first.',
  example: ['median(Amount) desc'],
};
const TOP: IntegerParameter = {
  kind: 'integer',
  name: 'top',
  ...{ min: 1, max: 1_000, default: 100 },
  description: 'The most groups to return.',
};
export const SKIP: IntegerParameter = {
  kind: 'integer',
  name: 'skip',
  ...{ min: 0, max: 100_000, default: 0 },
  description: 'The number of groups to skip.',
};

export const AGGREGATES_PARAMETERS: readonly Parameter[] = [
  ...[ENTITY, MEASURES, BY, ORDER_BY, TOP, SKIP, FILTER],
  ...NARROWING_PARAMETERS,
];

export interface AggregatesQuery {
  readonly entity: string | undefined;
  readonly measures: readonly string[];
  readonly by: readonly string[];
  readonly orderBy: readonly string[];
  readonly top: number;
  readonly skip: number;
  readonly filter: FilterNode | undefined;
  readonly filterText: string | undefined;
  readonly narrowing: readonly WrittenNarrowing[];
}

/** @throws ApiError `bad_parameter`; QueryError with the position of an error in the filter. */
export function parseAggregatesQuery(reader: ParameterReader): AggregatesQuery {
  // The filter parser checks the length and reports a position.
  const filterText = reader.text({ ...FILTER, lengthMax: BOUNDS.filterCharacters * 2 });
  const list = (row: TextParameter): readonly string[] => {
    const text = reader.text(row);
    return text === undefined ? [] : [...new Set(parseValueList(row.name, text))];
  };
  return {
    entity: reader.text(ENTITY),
    measures: list(MEASURES),
    by: list(BY),
    orderBy: list(ORDER_BY),
    top: reader.integer(TOP),
    skip: reader.integer(SKIP),
    filterText,
    filter: filterText === undefined ? undefined : parseFilter(filterText),
    narrowing: parseNarrowing(reader),
  };
}
