/** The calls that a state needs, with the greatest price of each. */
import { type Catalogue, ENTITIES, type Price } from './entities.ts';
import { type ExploreState, writeList } from './state.ts';

export type Parameter = readonly [name: string, value: string];

export interface Call {
  /** Below the root of the data API. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The most credits that it may cost: a response that costs more is an error. */
  readonly price: number;
}

/** Groups of a key without an order of its own, and of one of time or a scale. */
const GROUPS_MAX = 100;
const SCALE_MAX = 1_000;
/** Values that the filter of a dimension offers. */
export const VALUES_MAX = 100;

/** Path and query, which identify the answer. */
export function urlOf({ path, parameters }: Pick<Call, 'path' | 'parameters'>): string {
  const query = parameters
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return `${path}${query === '' ? '' : `?${query}`}`;
}

/** docs/spec/credits.md 10.1 */
export function priceOf({ base, perRecord }: Price, records = 0, expands = 0): number {
  return Math.max(1, Math.ceil(base + records * perRecord * (1 + 0.25 * expands)));
}

export const isTime = (key: string): boolean => key.includes('(');

/** Whether groups of the state come in an order of their own, so that no figure orders them. */
export function hasOwnOrder({ entity, by }: ExploreState, catalogue: Catalogue): boolean {
  return (
    isTime(by) || catalogue.dimensions[entity].some(({ id, isOrdinal }) => id === by && isOrdinal)
  );
}

/** All figures of each group, so that drawing another one needs no further call. */
export function chartCall(state: ExploreState, catalogue: Catalogue): Call {
  const { entity, by, figure } = state;
  const order: Parameter[] = hasOwnOrder(state, catalogue)
    ? [
        ['orderby', by],
        ['top', String(SCALE_MAX)],
      ]
    : [
        ['orderby', `${figure} desc`],
        ['top', String(GROUPS_MAX)],
      ];
  return {
    path: '/aggregates',
    parameters: [
      ['entity', entity],
      ['measures', ENTITIES[entity].figures.map(({ name }) => name).join(',')],
      ['by', by],
      ...order,
      ...narrowing(state),
      ...filterOf(state),
    ],
    price: priceOf(price(catalogue, '/aggregates')),
  };
}

/** A call that counts the values of dimensions. */
export interface CountCall extends Call {
  readonly dimensions: readonly string[];
}

/** One call for all that facets can count, one for each of the others. */
export function countCalls(
  state: ExploreState,
  open: readonly string[],
  catalogue: Catalogue,
): CountCall[] {
  const known = catalogue.dimensions[state.entity].filter(({ id }) => open.includes(id));
  // Facets know no condition.
  const counted = state.since === undefined ? known.filter(({ isCounted }) => isCounted) : [];
  const ids = counted.map(({ id }) => id);
  const facets: CountCall = {
    path: '/categories/facets',
    parameters: [
      ['entity', state.entity],
      ['dimensions', ids.join(',')],
      ['top', String(VALUES_MAX)],
      ...narrowing(state),
    ],
    price: priceOf(price(catalogue, '/categories/facets')),
    dimensions: ids,
  };
  const others = known.filter(({ id }) => !ids.includes(id));
  return [
    ...(ids.length === 0 ? [] : [facets]),
    ...others.map(({ id }) => ({
      path: '/aggregates',
      parameters: [
        ['entity', state.entity],
        ['by', id],
        ['top', String(VALUES_MAX)],
        ...narrowing(state, id),
        ...filterOf(state),
      ] as const,
      price: priceOf(price(catalogue, '/aggregates')),
      dimensions: [id],
    })),
  ];
}

/** The records of the state; undefined where no collection can be narrowed like it. */
export function recordsCall(
  state: ExploreState,
  records: number,
  catalogue: Catalogue,
): Call | undefined {
  const { entity } = state;
  const { path, expand, orderby } = ENTITIES[entity];
  const [first, ...others] = narrowing(state);
  if (first !== undefined && entity === 'valuations') return undefined;
  const [dimension, values = ''] = first ?? [];
  return {
    path:
      first === undefined
        ? path
        : `/categories/${dimension}/${encodeURIComponent(values)}/${entity}`,
    parameters: [
      ...others,
      ...filterOf(state),
      ['$orderby', orderby],
      ['$top', String(records)],
      ...(expand === undefined ? [] : [['$expand', expand] as const]),
    ],
    price: priceOf(price(catalogue, path), records, expand === undefined ? 0 : 1),
  };
}

function narrowing({ narrow }: ExploreState, except?: string): Parameter[] {
  return Object.entries(narrow)
    .filter(([id]) => id !== except)
    .map(([id, values]) => [id, writeList(values)]);
}

function filterOf({ entity, since }: ExploreState): Parameter[] {
  return since === undefined ? [] : [['$filter', ENTITIES[entity].since.of(since)]];
}

function price({ prices }: Catalogue, path: string): Price {
  const found = prices[path];
  if (found === undefined) throw new RangeError(`The rate card has no entry for ${path}.`);
  return found;
}
