import type { Principal } from '@vcds/credentials';
import type { RateCardEntry } from '@vcds/metering';
import type { ParameterReader } from '../request/parameter-reader.ts';
import type { Resource } from '../resources/index.ts';
import type { CursorCodec } from '../signals/cursor.ts';
import type { Plan } from './plan.ts';

/** What an endpoint parses. */
export interface Input {
  readonly reader: ParameterReader;
  /** Values of the `:name` segments; an `id` is a UUID in lower case. */
  readonly path: Readonly<Record<string, string>>;
  /** `YYYY-MM-DD` in UTC, for suggestions. */
  readonly today: string;
}

/** What a plan depends on beside the query. */
export interface PlanContext {
  readonly path: Input['path'];
  readonly today: string;
  readonly principal: Principal;
  /** Decodes the cursors of the change feed. */
  readonly cursors: CursorCodec;
}

/** A row of the table of endpoints. `parse` and `plan` are pure. */
export interface Endpoint<Query = unknown> {
  /** Below {base_url}, parameters as `:name`. */
  readonly path: string;
  readonly rate: RateCardEntry;
  /** False for one that always answers an error: the root does not list it. */
  readonly listed?: false;
  /** Names of its parameters; any other is an error. */
  readonly accepts: readonly string[];
  /** The resource whose records it answers; absent where it answers none. */
  readonly resource?: Resource;
  /**
   * Parameters as a query: well-formed, names and values not resolved yet.
   *
   * @throws ApiError or QueryError for a parameter that is not well-formed.
   */
  parse(input: Input): Query;
  /**
   * The query with every name resolved and every bound checked.
   *
   * @throws ApiError or QueryError for a query that cannot be answered.
   */
  plan(query: Query, context: PlanContext): Plan;
}
