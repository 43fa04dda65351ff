/** The endpoints of the data API as methods, by subject. */
import { type Call, collection, records } from './endpoints.ts';
import {
  type AnsweredPage,
  collectionPaging,
  type ListBounds,
  Listing,
  type Paging,
  type RequestPage,
} from './listing.ts';
import type { CollectionPath, Data, Parameters, Path } from './paths.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

type Entity = 'startups' | 'funds' | 'rounds';
type EntityPath<E extends Entity> = Extract<`/categories/{dimension}/{value}/${E}`, CollectionPath>;
/** Parameters that narrow by dimensions, such as `{ country: ['France'] }`. */
export type Narrowing = Omit<
  Parameters<'/categories/{dimension}'>,
  'dimension' | 'entity' | 'q' | 'top' | 'skip' | 'counts' | 'quote'
>;

const VALUES_PAGING = {
  size: { name: 'top', default: 100 },
  rowsOf: ({ values }: Data<'/categories/{dimension}'>) => values,
  next: ({ sent, size, rows }: AnsweredPage<unknown>) =>
    rows === size ? { skip: Number(sent.skip ?? 0) + size } : undefined,
};
const SIGNALS_PAGING = {
  size: { name: 'limit', default: 50 },
  rowsOf: ({ signals }: Data<'/signals'>) => signals,
  next: ({ response: { data } }: AnsweredPage<Data<'/signals'>>) =>
    data.hasMore ? { cursor: data.nextCursor } : undefined,
};

const ACTIVITY_PAGING = {
  ...collectionPaging<Data<'/activityfeed'>[number]>(),
  rowsOf: (entries: Data<'/activityfeed'>) => entries,
};

export function startups(call: Call) {
  return {
    ...records(call, '/startups'),
    /** Companies by name or website, best first. */
    search: single(call, '/startups/search'),
    /** Tags that begin with or contain a text. */
    tags: single(call, '/startups/tags/search'),
    rounds: (id: string) => collection(call, '/startups/{id}/fundingrounds', { id }),
    valuations: (id: string) => collection(call, '/startups/{id}/postvaluations', { id }),
    persons: (id: string) => collection(call, '/startups/{id}/persons', { id }),
    /** The startups that are most alike, best first, with reasons. */
    similar: similar(call, '/startups/{id}/similar'),
    /** The sources of its facts. */
    references: (id: string) => collection(call, '/startups/{id}/references', { id }),
  };
}

export function funds(call: Call) {
  return {
    ...records(call, '/funds'),
    /** Investors by name or website, best first. */
    search: single(call, '/funds/search'),
    /** The funds that are most alike, best first, with reasons. */
    similar: similar(call, '/funds/{id}/similar'),
    portfolio: (id: string) => collection(call, '/funds/{id}/portfolio', { id }),
    persons: (id: string) => collection(call, '/funds/{id}/persons', { id }),
  };
}

function similar<P extends '/startups/{id}/similar' | '/funds/{id}/similar'>(call: Call, path: P) {
  return async (
    id: string,
    parameters: Omit<Parameters<P>, 'id'> = {} as Omit<Parameters<P>, 'id'>,
    options?: CallOptions,
  ) => (await call(path, { ...parameters, id }, options)) as ApiResponse<Data<P>>;
}

export function categories(call: Call) {
  return {
    /** The dimensions of an entity, closed ones with all values. */
    dimensions: single(call, '/categories'),
    /** Counts of the values of several dimensions. */
    facets: single(call, '/categories/facets'),
    /** The values of a dimension, most common first, in pages of 500 for a credit each. */
    values: (
      dimension: Data<'/categories/{dimension}'>['dimension'],
      options: Omit<Parameters<'/categories/{dimension}'>, 'dimension'> & ListBounds = {},
    ) =>
      listed(call, '/categories/{dimension}', VALUES_PAGING, { top: 500, ...options, dimension }),
    /** The records that have a value of a dimension: `of('startups', 'country', 'France')`. */
    of: <E extends Entity>(
      entity: E,
      dimension: string,
      value: string | readonly string[],
      narrowing: Narrowing = {},
    ) =>
      collection(call, `/categories/{dimension}/{value}/${entity}` as EntityPath<E>, {
        ...narrowing,
        ...{ dimension, value },
      }),
  };
}

export function signals(call: Call) {
  return {
    /** Signals, newest first unless `order` says otherwise; to stay up to date, `follow` them. */
    list: (options: Parameters<'/signals'> & ListBounds = {}) =>
      listed(call, '/signals', SIGNALS_PAGING, options),
    types: (options?: CallOptions) => single(call, '/signals/types')({}, options),
  };
}

/** The activity feed for readers, newest market date first; iterating it follows the pages. */
export function activity(call: Call) {
  return (options: Parameters<'/activityfeed'> & ListBounds = {}) =>
    listed(call, '/activityfeed', ACTIVITY_PAGING, options);
}

export function single<P extends Path>(call: Call, path: P) {
  return async (parameters: Parameters<P>, options?: CallOptions): Promise<ApiResponse<Data<P>>> =>
    (await call(path, parameters, options)) as ApiResponse<Data<P>>;
}

function listed<P extends Path, Row>(
  call: Call,
  path: P,
  paging: Paging<Row, Data<P>>,
  { max, signal, creditsMax, ...query }: Parameters<P> & ListBounds,
): Listing<Row, Data<P>> {
  const request: RequestPage<Data<P>> = (parameters, options) =>
    single(call, path)(parameters as Parameters<P>, options);
  return new Listing(request, paging, query, { max, signal, creditsMax });
}
