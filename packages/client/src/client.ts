import { type Data, type Parameters, type Path, pathOf } from './paths.ts';
import {
  type ApiResponse,
  type CallOptions,
  type Credits,
  createTransport,
  type TransportOptions,
} from './transport.ts';

/** The base URL of a local product, as `npm start` opens it. */
export const LOCAL_BASE_URL = 'http://127.0.0.1:8080/v2';

export interface ClientOptions extends Omit<TransportOptions, 'baseUrl'>, CreditLimit {
  readonly apiKey: string;
  /** Root of the data API, with `/v2`. Default: {@link LOCAL_BASE_URL}. */
  readonly baseUrl?: string | undefined;
}

interface CreditLimit {
  /** The most that a call may cost, unless the call sets its own; see {@link CallOptions}. */
  readonly creditsMax?: number | undefined;
}

/** The credits that the calls of a client have cost, and the last balance that it received. */
export interface SpentCredits extends Omit<Credits, 'charged'> {
  readonly spent: number;
  /** Responses, also those that cost nothing. */
  readonly responses: number;
}

type Arguments<P extends Path> =
  Record<never, never> extends Parameters<P>
    ? [parameters?: Parameters<P>, options?: CallOptions]
    : [parameters: Parameters<P>, options?: CallOptions];

/** A client of the data API. */
export interface Client {
  /**
   * Calls one endpoint: `get('/startups/{id}', { id, $select: 'Name' })`. Parameters of the path
   * and of the query are in one object.
   *
   * @throws VcdsError
   */
  get<P extends Path>(path: P, ...args: Arguments<P>): Promise<ApiResponse<Data<P>>>;
  /** The sum over all calls up to now. */
  readonly credits: SpentCredits;
}

/** Opens a client. It holds no connection and needs no end. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl = LOCAL_BASE_URL } = options;
  let credits: SpentCredits = { spent: 0, responses: 0, limit: null, remaining: null, reset: null };
  const send = createTransport({
    ...options,
    baseUrl,
    onResponse: (event) => {
      const { charged, ...balance } = event.credits;
      const known = balance.limit === null ? credits : balance;
      const { limit, remaining, reset } = known;
      const responses = credits.responses + 1;
      credits = { spent: credits.spent + charged, responses, limit, remaining, reset };
      options.onResponse?.(event);
    },
  });
  const call = async (path: string, { creditsMax, signal }: CallOptions = {}) =>
    send({ path, signal, creditsMax: creditsMax ?? options.creditsMax });
  return {
    get: async <P extends Path>(path: P, parameters?: Parameters<P>, callOptions?: CallOptions) =>
      (await call(pathOf(path, parameters), callOptions)) as ApiResponse<Data<P>>,
    get credits() {
      return credits;
    },
  };
}
