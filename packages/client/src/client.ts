import { type Aggregate, aggregate } from './aggregates.ts';
import {
  type Call,
  type Collection,
  collection,
  type RecordCollection,
  records,
} from './endpoints.ts';
import type { Quote } from './errors.ts';
import { type Feed, type FollowOptions, followFeed } from './follow.ts';
import { activity, categories, funds, signals, single, startups } from './groups.ts';
import { collectionPaging, type ListBounds, Listing, type ParameterValues } from './listing.ts';
import { type MatchItem, type MatchResult, matched } from './match.ts';
import {
  type CollectionPath,
  type Data,
  type FreePath,
  type Known,
  type Parameters,
  type Path,
  pathOf,
  type RecordOf,
  type Result,
} from './paths.ts';
import { type ReplicaReport, type ReplicateOptions, replicate } from './replicate.ts';
import {
  type ApiResponse,
  type CallOptions,
  type Credits,
  createTransport,
  sleepMs,
  type TransportOptions,
  type TransportRequest,
} from './transport.ts';

/** The base URL of a local product, as `npm start` opens it. */
export const LOCAL_BASE_URL = 'http://127.0.0.1:8080/v2';

export interface ClientOptions extends Omit<TransportOptions, 'baseUrl'> {
  readonly apiKey: string;
  /** Root of the data API, with `/v2`. Default: {@link LOCAL_BASE_URL}. */
  readonly baseUrl?: string | undefined;
  /** The most that a call may cost, unless the call sets its own; see {@link CallOptions}. */
  readonly creditsMax?: number | undefined;
}

/** The credits that the calls of a client have cost, and the last balance that it received. */
export interface SpentCredits extends Omit<Credits, 'charged'> {
  readonly spent: number;
  /** Responses, also those that cost nothing. */
  readonly responses: number;
}

/** A client of the data API. Every call rejects with a VcdsError if it fails. */
export interface Client {
  /**
   * Calls one endpoint: `get('/startups/{id}', { id, $select: ['Name'] })`. The parameters of the
   * path and of the query are in one object.
   */
  get<P extends Path, const Given extends Parameters<P>>(
    path: P,
    parameters: Known<P, Given>,
    options?: CallOptions,
  ): Promise<ApiResponse<Result<P, Given>>>;
  get<P extends FreePath>(path: P): Promise<ApiResponse<Data<P>>>;
  /** A POST call by its path, with the parameters of its query. */
  post(
    path: string,
    body: object,
    parameters?: ParameterValues,
    options?: CallOptions,
  ): Promise<ApiResponse<unknown>>;
  /** The records of a collection by its path, as {@link Collection.list} has them. */
  list<P extends CollectionPath>(
    path: P,
    parameters?: Parameters<P>,
    bounds?: ListBounds,
  ): Listing<RecordOf<P>>;
  /** The same response as CSV text; `$format: 'csv-excel'` is for spreadsheets. */
  csv<P extends Path>(
    path: P,
    parameters: Parameters<P>,
    options?: CallOptions,
  ): Promise<ApiResponse<string>>;
  /** The price of the call that `get` makes with these arguments, without making it; free. */
  quote<P extends Path>(
    path: P,
    parameters: Parameters<P>,
    options?: CallOptions,
  ): Promise<ApiResponse<Quote>>;
  /** The sum over all calls up to now. */
  readonly credits: SpentCredits;

  readonly startups: ReturnType<typeof startups>;
  readonly funds: ReturnType<typeof funds>;
  readonly rounds: Collection<'/startups/fundingrounds'>;
  readonly valuations: Collection<'/startups/postvaluations'>;
  readonly persons: RecordCollection<'/persons'>;
  readonly news: Collection<'/news'>;
  readonly companies: {
    /** Startups and funds by name or website, best first. */
    search(
      parameters: Parameters<'/companies/search'>,
      options?: CallOptions,
    ): Promise<ApiResponse<Data<'/companies/search'>>>;
    /** The records of at most 100 companies of a list of your own; 1 credit for each that matches. */
    match(
      items: readonly MatchItem[],
      options?: CallOptions,
    ): Promise<ApiResponse<readonly MatchResult[]>>;
    /** The same of any number, 100 a call: `for await (const result of client.companies.matchAll(rows))`. */
    matchAll(
      items: Iterable<MatchItem> | AsyncIterable<MatchItem>,
      options?: Pick<CallOptions, 'signal' | 'creditsMax'>,
    ): AsyncGenerator<MatchResult, void>;
  };
  /** Facts from the own site of a company. */
  find(parameters: Parameters<'/find'>, options?: CallOptions): Promise<ApiResponse<Data<'/find'>>>;
  /** Funds for a startup or for criteria, startups for a fund; best first, with reasons. */
  match(
    parameters: Parameters<'/venturematching'>,
    options?: CallOptions,
  ): Promise<ApiResponse<Data<'/venturematching'>>>;
  readonly categories: ReturnType<typeof categories>;
  /** Figures of groups of records: `aggregate('rounds', { measures: ['sum(Amount)'], by: ['quarter(Date)'] })`. */
  readonly aggregate: Aggregate;
  readonly signals: ReturnType<typeof signals>;
  /** News for readers, newest market date first. */
  readonly activity: ReturnType<typeof activity>;
  /** The change feed, from where it was left. */
  follow(options?: FollowOptions): Feed;
  /** Keeps a copy of the records: loads a snapshot, then follows the changes. */
  replicate(options: ReplicateOptions): Promise<ReplicaReport>;
  /** The rate card; free. */
  pricing(options?: CallOptions): Promise<ApiResponse<Data<'/pricing'>>>;
}

/** Opens a client. It keeps no connection and has nothing to close. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl = LOCAL_BASE_URL } = options;
  let credits: SpentCredits = { spent: 0, responses: 0, limit: null, remaining: null, reset: null };
  const send = createTransport({
    ...options,
    baseUrl,
    onResponse: (event) => {
      const { charged, ...balance } = event.credits;
      credits = {
        ...(balance.limit === null ? credits : balance),
        spent: credits.spent + charged,
        responses: credits.responses + 1,
      };
      options.onResponse?.(event);
    },
  });
  const request = (
    path: string,
    parameters: ParameterValues,
    { creditsMax = options.creditsMax, ...sent }: CallOptions = {},
  ): TransportRequest => ({ path: pathOf(path, parameters), ...sent, creditsMax });
  const call: Call = async (...sent) => send(request(...sent));
  const post: Client['post'] = async (path, body, parameters = {}, callOptions = {}) =>
    send({ ...request(path, parameters, callOptions), method: 'POST', body });
  const match: Client['companies']['match'] = async (items, callOptions) => {
    const response = await post('/companies/match', items, {}, callOptions);
    return response as ApiResponse<readonly MatchResult[]>;
  };
  return {
    post,
    get: ((path: Path, parameters?: ParameterValues, callOptions?: CallOptions) =>
      call(path, parameters ?? {}, callOptions)) as Client['get'],
    list: (path, parameters?: ParameterValues, bounds = {}) =>
      new Listing(
        async (sent, callOptions) => (await call(path, sent, callOptions)) as never,
        collectionPaging(),
        parameters ?? {},
        bounds,
      ),
    csv: async (...sent) =>
      (await send({ ...request(...sent), accept: 'text/csv' })) as ApiResponse<string>,
    quote: async (path, parameters, callOptions) => {
      const response = await call(path, { ...parameters, quote: true }, callOptions);
      const { quote } = response.data as { readonly quote: Quote };
      return { ...response, data: quote };
    },
    get credits() {
      return credits;
    },
    startups: startups(call),
    funds: funds(call),
    rounds: collection(call, '/startups/fundingrounds'),
    valuations: collection(call, '/startups/postvaluations'),
    persons: records(call, '/persons'),
    news: collection(call, '/news'),
    companies: {
      search: single(call, '/companies/search'),
      match,
      matchAll: (items, callOptions) => matched(match, items, callOptions),
    },
    find: single(call, '/find'),
    match: single(call, '/venturematching'),
    categories: categories(call),
    aggregate: aggregate(call),
    signals: signals(call),
    activity: activity(call),
    follow: (followOptions = {}) =>
      followFeed(followOptions, {
        request: single(call, '/signals'),
        now: options.now ?? Date.now,
        sleep: options.sleep ?? sleepMs,
      }),
    replicate: (replicateOptions) =>
      replicate(replicateOptions, {
        snapshots: (callOptions) => single(call, '/snapshots')({}, callOptions),
        changes: single(call, '/changes'),
        fetch: options.fetch ?? fetch,
        apiKey: options.apiKey,
        sleep: options.sleep ?? sleepMs,
      }),
    pricing: (callOptions) => single(call, '/pricing')({}, callOptions),
  };
}
