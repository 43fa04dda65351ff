import type { Principal } from '@vcds/credentials';
import type { RateCardEntry } from '@vcds/metering';
import type { Resource } from '../resources/index.ts';
import type { Cursors } from './cursors.ts';
import type { Plan } from './plan.ts';
import type { ParameterReader } from './request/parameter-reader.ts';
import type { Parameter } from './request/parameters.ts';

/** The inputs of {@link Endpoint.plan} other than the query. */
export interface PlanContext {
  /** Values of the `:name` segments; an `id` is a UUID in lower case. */
  readonly path: Readonly<Record<string, string>>;
  /** `YYYY-MM-DD` in UTC, for suggestions. */
  readonly today: string;
  readonly principal: Principal;
  /** Decodes the cursors of feeds and collections. */
  readonly cursors: Cursors;
}

/** The input of {@link Endpoint.parse}. */
export interface Input extends Omit<PlanContext, 'cursors'> {
  readonly reader: ParameterReader;
}

/** A row of the table of endpoints. `parse` and `plan` are pure. */
export interface Endpoint<Query = unknown> {
  /** Below {base_url}, parameters as `:name`. */
  readonly path: string;
  readonly rate: RateCardEntry;
  /** False for an endpoint that always returns an error: the root does not list it. */
  readonly listed?: false;
  /** Its parameters; any other is an error. */
  readonly accepts: readonly Parameter[];
  /** The resource whose records it returns, if any. */
  readonly resource?: Resource;
  /**
   * Parses the parameters to a query. Names and values are not resolved yet.
   *
   * @throws ApiError or QueryError for a malformed parameter.
   */
  parse(input: Input): Query;
  /**
   * Resolves every name of the query and checks every bound.
   *
   * @throws ApiError or QueryError for an invalid query.
   */
  plan(query: Query, context: PlanContext): Plan;
}
