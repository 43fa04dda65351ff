import type { Principal, Scope } from '@vcds/credentials';
import { PLANS, type QuoteInput, type RateCardEntry, rateFor } from '@vcds/metering';
import type { BoundFilter } from '@vcds/odata-query';
import type { ErrorCode } from '@vcds/service-kit/api-errors';
import type { Caller } from '../find/look-up.ts';
import type { NarrowedEntity, PlannedNarrowing } from '../narrowing/plan.ts';
import type { Answer } from '../postgres/database.ts';
import type { Relation, Resource, ResourceField } from '../resources/index.ts';
import type { Table } from '../tables/csv.ts';
import type { Cursors } from './cursors.ts';
import { FORMAT } from './format.ts';
import { CALL_PARAMETERS } from './parse.ts';
import type { RequestBody } from './request/body.ts';
import type { PageCeiling, ParameterReader } from './request/parameter-reader.ts';
import type { Parameter } from './request/parameters.ts';
import type { Sources } from './sources.ts';

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
  /** The body of the request, valid by the schema of {@link Endpoint.body}; undefined without one. */
  readonly body?: unknown;
}

/** The texts of an endpoint in the interface description. */
export interface EndpointText {
  /** The operationId. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The query of the example: a call whose real response is in `docs/openapi/examples`. */
  readonly example?: string;
  /** The schema of a response that is no records; in brackets, of each item of a list. */
  readonly body?: string | readonly [string];
  /** The types of a response that is a file. */
  readonly media?: readonly string[];
  /** Headers and errors that other endpoints do not have. */
  readonly headers?: readonly ('Age' | 'X-Model-Version')[];
  readonly errors?: readonly ErrorCode[];
}

/** The parts of a plan that are looked up in the database before credits are held. */
export interface Written {
  /** Narrowings: their values must occur. */
  readonly by: readonly PlannedNarrowing[];
  readonly filter?: BoundFilter<ResourceField> | undefined;
  /** Subjects of a feed. */
  readonly subjects?: readonly string[] | undefined;
}

/** A part of an answer that needs a scope of its own, and the parameter that asks for it. */
export interface EntitledPart {
  readonly scope: Scope | null;
  readonly parameter: string;
  readonly value: string;
}

/** A row of the table of endpoints. `parse` and `plan` are pure. */
export interface Endpoint<Query = unknown, Plan = unknown> {
  /** Below {base_url}, parameters as `:name`. */
  readonly path: string;
  readonly rate: RateCardEntry;
  /** Absent for an endpoint that always returns an error: the root does not list it. */
  readonly text?: EndpointText;
  /** Its parameters; any other is an error. */
  readonly accepts: readonly Parameter[];
  /** The body of a POST. */
  readonly body?: RequestBody;
  /** The resource whose records it returns, if any. */
  readonly resource?: Resource;
  /** The parameter that continues after a page. */
  readonly cursor?: Parameter;
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
  /** The inputs of the quote; default: a call without records. */
  price?(plan: Plan): Partial<QuoteInput>;
  /**
   * Its answers as a table; absent if they are none.
   *
   * @throws ApiError `bad_parameter` for a plan that has no columns.
   */
  table?(plan: Plan): Table;
  /** The relations whose records it adds. */
  expands?(plan: Plan): readonly Relation[];
  /** Other parts that need further scopes. */
  parts?(plan: Plan): readonly EntitledPart[];
  written?(plan: Plan): Written;
  /** The plan with what the database has in place of {@link written}. */
  withWritten?(plan: Plan, written: Written): Plan;
  /**
   * Executes a plan.
   *
   * @throws ApiError `unavailable` if the database is unreachable or too slow, and as documented.
   */
  run(plan: Plan, sources: Sources, caller: Caller): Promise<Answer>;
}

type Row<Query, Plan> = Omit<Endpoint<Query, Plan>, 'path' | 'rate' | 'text' | 'run'> & {
  readonly rate?: RateCardEntry;
  /** Executes in a slot of the database. */
  readonly read?: (plan: Plan, sources: Sources) => Promise<Answer>;
  /** Executes, and takes slots itself. */
  readonly run?: Endpoint<Query, Plan>['run'];
};

/** A row: every endpoint also accepts the parameters of all calls. */
export function endpoint<Query, Plan>(
  path: string,
  text: EndpointText | undefined,
  { rate = rateOf(path), accepts, read, ...row }: Row<Query, Plan>,
): Endpoint {
  const run: Endpoint<Query, Plan>['run'] =
    row.run ?? ((plan, sources, caller) => caller.read(async () => readIn(plan, sources)));
  const readIn = (plan: Plan, sources: Sources) => {
    if (read === undefined) throw new RangeError(`${path} has no way to execute.`);
    return read(plan, sources);
  };
  return {
    ...row,
    run,
    path,
    rate,
    ...(text && { text }),
    accepts: [...accepts, ...(row.table ? [FORMAT] : []), ...CALL_PARAMETERS],
  };
}

/** The rate of a path. */
export function rateOf(path: string): RateCardEntry {
  return rateFor(templateOf(path));
}

/** The path with `{name}` in place of `:name`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** The largest page of a caller. */
export function ceilingOf({ plan }: Principal): PageCeiling {
  const { name, topMax } = PLANS[plan];
  return { plan: name, topMax };
}

/** For plans whose narrowings are their member `narrowing`. */
export function narrows<
  P extends {
    readonly narrowing: Written['by'];
    readonly filter?: Written['filter'];
    readonly subjects?: Written['subjects'];
  },
>() {
  return {
    written: ({ narrowing, filter, subjects }: P): Written => ({ by: narrowing, filter, subjects }),
    withWritten: (plan: P, { by, filter, subjects }: Written): P => ({
      ...plan,
      narrowing: by,
      ...(filter && { filter }),
      ...(subjects && { subjects }),
    }),
  };
}

/** For plans whose narrowings are in their member `of`. */
export function narrowsEntity<P extends { readonly of: NarrowedEntity }>() {
  return {
    written: ({ of }: P): Written => of,
    withWritten: (plan: P, { by }: Written): P => ({ ...plan, of: { ...plan.of, by } }),
  };
}
