import { pathOf } from './paths.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

/** Bounds of an iteration. */
export interface ListBounds extends CallOptions {
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
    for (let left = max; changes !== undefined && left > 0; ) {
      const asked = Number(this.#parameters[bound.name] ?? bound.default);
      const size = Math.min(asked, left);
      const sized = size < asked ? { [bound.name]: size } : {};
      const sent: ParameterValues = { ...this.#parameters, ...changes, ...sized };
      const response = await this.#request(sent, options);
      const rows = rowsOf(response.data).length;
      yield response;
      left -= rows;
      changes = next({ response, sent, size, rows });
    }
  }

  /** All records in one array; bound it with `max`. */
  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }
}

/** A link to the next page is omitted above 4 KiB (docs/spec/collections.md 6.5). */
const LINKED_LENGTH_MAX = 3_000;

/** The parameters with the position of a linked page, of collections and of the activity feed. */
const CURSORS = ['$skiptoken', 'cursor'] as const;

/**
 * Paging of a collection: `$top` with the cursor of the linked page, while a response links one;
 * with `$skip`, if the query is too long for a link.
 */
export function collectionPaging<Row>(): Paging<Row, readonly Row[]> {
  return {
    size: { name: '$top', default: 25 },
    rowsOf: (page) => page,
    next: ({ response: { next }, sent, size, rows }) => {
      if (next !== null) {
        const linked = new URLSearchParams(next.split('?')[1]);
        const position = CURSORS.map((name) => [name, linked.get(name) ?? undefined]);
        return { ...Object.fromEntries(position), $skip: undefined };
      }
      const isLinked = pathOf('', sent).length <= LINKED_LENGTH_MAX;
      return isLinked || rows < size ? undefined : { $skip: Number(sent.$skip ?? 0) + size };
    },
  };
}
