import {
  type ApiResponse,
  type CallOptions,
  createTransport,
  type TransportOptions,
} from './transport.ts';

/** The root of the access API of a local product, as `npm start` opens it. */
export const LOCAL_AUTH_URL = 'http://127.0.0.1:8081/api/v1';

/** docs/spec/registration.md 3.2. */
export interface Registered {
  readonly status: 'sent' | 'accepted';
  readonly message: string;
  /** Absent if no message was sent. */
  readonly request_id?: string;
  readonly expires_in: number;
  readonly next: string;
}

/** docs/spec/credits.md 10.6. */
export interface Balance {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: string;
}

/** docs/spec/registration.md 3.3. */
export interface Verified {
  /** Shown once: store it. */
  readonly api_key: string;
  readonly expires_at: string | null;
  readonly email: string;
  readonly credits: Balance;
  readonly base_url: string;
  readonly usage: string;
  readonly docs_url: string;
  readonly manage_url: string;
  readonly notice: string;
}

/** docs/spec/registration.md 3.4. */
export interface RegistrationStatus {
  readonly status: 'pending' | 'link_used' | 'completed' | 'expired' | 'unknown';
}

export interface AccessOptions extends Omit<TransportOptions, 'baseUrl' | 'apiKey'> {
  /** Root of the access API, with `/api/v1`. Default: {@link LOCAL_AUTH_URL}. */
  readonly authUrl?: string | undefined;
}

/** A client of the access API, which issues keys. Every call is free. */
export interface AccessClient {
  /** Sends a code to an address. */
  register(email: string, options?: CallOptions): Promise<ApiResponse<Registered>>;
  /** Exchanges the code for a key. */
  verify(
    proof: { readonly code: string } & (
      | { readonly request_id: string }
      | { readonly email: string }
    ),
    options?: CallOptions,
  ): Promise<ApiResponse<Verified>>;
  /** Poll it at most every 15 seconds, for at most ten minutes. */
  status(requestId: string, options?: CallOptions): Promise<ApiResponse<RegistrationStatus>>;
  /** The balance of a key. */
  usage(apiKey: string, options?: CallOptions): Promise<ApiResponse<Balance>>;
}

export function createAccessClient({ authUrl = LOCAL_AUTH_URL, ...options }: AccessOptions = {}) {
  const send = createTransport({ ...options, baseUrl: authUrl });
  const post = (path: string, body: object, { signal }: CallOptions = {}) =>
    send({ method: 'POST', path, body, signal });
  const client = {
    register: (email, call) => post('/auth/register', { email }, call),
    verify: (proof, call) => post('/auth/verify', proof, call),
    status: (requestId, call) => {
      const query = new URLSearchParams({ request_id: requestId });
      return send({ path: `/auth/status?${query}`, signal: call?.signal });
    },
    usage: (apiKey, call) => send({ path: '/usage', apiKey, signal: call?.signal }),
  } satisfies {
    [Name in keyof AccessClient]: (...args: Parameters<AccessClient[Name]>) => unknown;
  };
  return client as AccessClient;
}
