import type { Principal } from '@vcds/credentials';
import type { RateCardEntry } from '@vcds/metering';
import type { ParameterReader } from '../request/parameter-reader.ts';
import type { Resource } from '../resources/index.ts';
import type { CursorSeal } from '../signals/cursor.ts';
import type { Plan } from './plan.ts';

/** One call of an endpoint, its parameters read and its caller known. */
export interface Call {
  readonly reader: ParameterReader;
  /** Values of the `:name` segments; an `id` is a UUID in lower case. */
  readonly path: Readonly<Record<string, string>>;
  readonly principal: Principal;
  /** What reads the cursors of the change feed. */
  readonly cursors: CursorSeal;
  /** `YYYY-MM-DD` in UTC, for suggestions. */
  readonly today: string;
}

/** A row of the table of endpoints. */
export interface Endpoint {
  /** Below {base_url}, parameters as `:name`. */
  readonly path: string;
  readonly rate: RateCardEntry;
  /** False for one that only ever refuses: the root does not list it. */
  readonly listed?: false;
  /** The parameters it reads; any other is refused. */
  readonly accepts: readonly string[];
  /** What it answers records of; absent where it does not. */
  readonly resource?: Resource;
  /**
   * From what was asked to what will be done; pure.
   *
   * @throws ApiError or QueryError for anything that cannot be answered.
   */
  readonly plan: (call: Call) => Plan;
}
