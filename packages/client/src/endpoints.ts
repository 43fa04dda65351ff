import type { Filter } from './filter.ts';
import { collectionPaging, type ListBounds, Listing, type ParameterValues } from './listing.ts';
import type { CollectionPath, FieldsOf, OrderKey, Path, RecordOf, RelationsOf } from './paths.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

/** Calls one endpoint with parameters that have been checked by their types. */
export type Call = (
  path: Path,
  parameters: ParameterValues,
  options?: CallOptions,
) => Promise<ApiResponse<unknown>>;

/** Fields and relations of the records to return. */
export interface RecordShape<Field, Relation> {
  /** Only these fields. The price stays the same. */
  readonly select?: readonly Field[] | undefined;
  /** Related records; each relation adds 25 % to the price of a record. */
  readonly expand?: readonly Relation[] | undefined;
}

export interface ListOptions<P extends CollectionPath, Field, Relation>
  extends RecordShape<Field, Relation>,
    ListBounds {
  readonly filter?: Filter | string | undefined;
  readonly orderby?: OrderKey<P> | readonly OrderKey<P>[] | undefined;
  /** Page size, 25 by default; at most the ceiling of the plan. */
  readonly top?: number | undefined;
  readonly skip?: number | undefined;
}

/** A record with the selected fields and the expanded relations. */
export type Shaped<Item, Field, Relation> = Pick<Item, Field & keyof Item> &
  Required<Pick<Item, Relation & keyof Item>> &
  Pick<Item, `${Relation & string}@${'count' | 'nextLink'}` & keyof Item>;

/** The records of a collection. */
export interface Collection<P extends CollectionPath> {
  list<
    Field extends FieldsOf<RecordOf<P>> = FieldsOf<RecordOf<P>>,
    Relation extends RelationsOf<RecordOf<P>> = never,
  >(options?: ListOptions<P, Field, Relation>): Listing<Shaped<RecordOf<P>, Field, Relation>>;
  /** The number of records, for one credit. */
  count(filter?: Filter | string, options?: CallOptions): Promise<ApiResponse<number>>;
}

/** A collection with a record by id. */
export interface RecordCollection<P extends CollectionPath> extends Collection<P> {
  get<
    Field extends FieldsOf<RecordOf<P>> = FieldsOf<RecordOf<P>>,
    Relation extends RelationsOf<RecordOf<P>> = never,
  >(
    id: string,
    options?: RecordShape<Field, Relation> & CallOptions,
  ): Promise<ApiResponse<Shaped<RecordOf<P>, Field, Relation>>>;
}

export function collection<P extends CollectionPath>(
  call: Call,
  path: P,
  fixed: ParameterValues = {},
): Collection<P> {
  return {
    list: <Field, Relation>(options: ListOptions<P, Field, Relation> = {}) => {
      // Other names are parameters: a narrowing, or one that the service rejects, for free.
      const { filter, orderby, top, skip, max, signal, creditsMax, select, expand, ...others } =
        options;
      type Row = Shaped<RecordOf<P>, Field, Relation>;
      return new Listing<Row>(
        async (sent, bounds) => (await call(path, sent, bounds)) as ApiResponse<readonly Row[]>,
        collectionPaging(),
        {
          ...{ ...fixed, ...shapeOf({ select, expand }) },
          ...{ $filter: filter, $orderby: orderby, $top: top, $skip: skip, ...others },
        },
        { max, signal, creditsMax },
      );
    },
    count: async ($filter, options) => {
      const response = await call(path, { ...fixed, $filter, $count: true }, options);
      const { count } = response.data as { readonly count: number };
      return { ...response, data: count };
    },
  };
}

export function records<P extends CollectionPath>(call: Call, path: P): RecordCollection<P> {
  return {
    ...collection(call, path),
    get: async <Field, Relation>(
      id: string,
      options: RecordShape<Field, Relation> & CallOptions = {},
    ) => {
      const { select, expand, signal, creditsMax, idempotencyKey, ...others } = options;
      const response = await call(
        `${path}/{id}` as Path,
        { id, ...shapeOf({ select, expand }), ...others },
        { signal, creditsMax, idempotencyKey },
      );
      return response as ApiResponse<Shaped<RecordOf<P>, Field, Relation>>;
    },
  };
}

function shapeOf({ select, expand }: RecordShape<unknown, unknown>): ParameterValues {
  return { $select: select, $expand: expand };
}
