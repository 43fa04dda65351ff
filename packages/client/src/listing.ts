import { VcdsError } from './errors.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

/** Bounds of an iteration. */
export interface ListBounds extends Omit<CallOptions, 'idempotencyKey'> {
  /** The most records to return, over all pages; the last page is not requested larger. */
  readonly max?: number | undefined;
}

/** A request for a page that has been answered. */
export interface AnsweredPage<Page> {
  readonly response: ApiResponse<Page>;
  readonly sent: ParameterValues;
  /** Requested and returned rows. */
  readonly size: number;
  readonly rows: number;
  /** The records before the end of this page; undefined after a cursor that the caller has given. */
  readonly end: number | undefined;
}

export type ParameterValues = Readonly<Record<string, unknown>>;

/** How the pages of an endpoint follow each other. */
export interface Paging<Row, Page> {
  /** The parameter that bounds a page, and the service's default. */
  readonly size: { readonly name: string; readonly default: number };
  readonly rowsOf: (page: Page) => readonly Row[];
  /** The parameters that change for the next page; undefined after the last one. */
  readonly next: (page: AnsweredPage<Page>) => ParameterValues | undefined;
}

export type RequestPage<Page> = (
  parameters: ParameterValues,
  options: CallOptions,
) => Promise<ApiResponse<Page>>;

/**
 * A list that is read while it is iterated: a page is requested, and paid, when its first record
 * is asked for. Each iteration begins with the first page. An aborted `signal` ends an iteration
 * with its reason.
 */
export class Listing<Row, Page = readonly Row[]> implements AsyncIterable<Row> {
  readonly #request: RequestPage<Page>;
  readonly #paging: Paging<Row, Page>;
  readonly #parameters: ParameterValues;
  readonly #bounds: ListBounds;

  constructor(
    request: RequestPage<Page>,
    paging: Paging<Row, Page>,
    parameters: ParameterValues,
    bounds: ListBounds,
  ) {
    this.#request = request;
    this.#paging = paging;
    this.#parameters = parameters;
    this.#bounds = bounds;
  }

  /** The records, one by one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, void> {
    for await (const { data } of this.pages()) {
      for (const row of this.#paging.rowsOf(data)) {
        this.#bounds.signal?.throwIfAborted();
        yield row;
      }
    }
  }

  /** The responses, page by page, with the credits of each. */
  async *pages(): AsyncGenerator<ApiResponse<Page>, void, void> {
    const { max = Number.POSITIVE_INFINITY, ...options } = this.#bounds;
    const { size: bound, rowsOf, next } = this.#paging;
    let changes: ParameterValues | undefined = {};
    let end = startOf(this.#parameters);
    for (let left = max; changes !== undefined && left > 0; ) {
      const asked = Number(this.#parameters[bound.name] ?? bound.default);
      const size = Math.min(asked, left);
      const sized = size < asked ? { [bound.name]: size } : {};
      const sent: ParameterValues = { ...this.#parameters, ...changes, ...sized };
      const response = await this.#request(sent, options);
      const rows = rowsOf(response.data).length;
      yield response;
      left -= rows;
      if (end !== undefined) end += rows;
      changes = left > 0 ? next({ response, sent, size, rows, end }) : undefined;
    }
  }

  /** All records in one array; bound it with `max`. */
  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }
}

/** The parameters with the position of a linked page, of collections and of the activity feed. */
const CURSORS = ['$skiptoken', 'cursor'] as const;
const NO_POSITION = { $skip: undefined, $skiptoken: undefined, cursor: undefined };

/**
 * Paging of a collection: `$top` with the cursor of the linked page, while a response links one;
 * with `$skip`, if the link would be too long (docs/spec/collections.md 6.5).
 */
export function collectionPaging<Row>(): Paging<Row, readonly Row[]> {
  return {
    size: { name: '$top', default: 25 },
    rowsOf: (page) => page,
    next: ({ response: { next, isNextOmitted }, end }) => {
      if (next !== null) {
        const linked = new URLSearchParams(next.split('?')[1]);
        const position = CURSORS.map((name) => [name, linked.get(name) ?? undefined]);
        return { ...Object.fromEntries(position), $skip: undefined };
      }
      if (!isNextOmitted) return undefined;
      if (end === undefined) throw unknownPosition();
      return { ...NO_POSITION, $skip: end };
    },
  };
}

/** The number of records before the first page; unknown if it starts at a cursor. */
function startOf(parameters: ParameterValues): number | undefined {
  const hasCursor = CURSORS.some((name) => parameters[name] !== undefined);
  return hasCursor ? undefined : Number(parameters.$skip ?? 0);
}

function unknownPosition(): VcdsError {
  const message =
    'More records follow, but the query is too long for a link to them. Start the list with $skip instead of a cursor.';
  return new VcdsError({ code: 'unknown_position', message });
}
