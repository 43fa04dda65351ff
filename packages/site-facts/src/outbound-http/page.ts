/** Names in lower case, without Set-Cookie; repeated headers are joined with a comma. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** The start of the last response, before its body. */
export interface ResponseHead {
  readonly finalUrl: string;
  readonly status: number;
  readonly headers: ResponseHeaders;
}

export interface Page extends ResponseHead {
  /** Decompressed. */
  readonly body: Buffer;
  /** The URLs that redirected, in order. */
  readonly redirects: readonly string[];
}

export interface FetchOptions {
  /** Aborts the request; its reason is thrown as it is. */
  readonly signal?: AbortSignal | undefined;
  /** The header Accept; default any. */
  readonly accept?: string | undefined;
  /** Further headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Most bytes of the body, as sent and decompressed; default 2 MiB. */
  readonly bytesMax?: number | undefined;
  /** Of name resolution, connections, redirects and body together; default that of the client. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with each URL, that of a redirect too, after the check of its form and before any
   * connection; an error that it throws ends the request.
   */
  readonly beforeRequest?: ((url: URL) => Promise<void>) | undefined;
  /** Called with the head of the last response; an error that it throws ends the request. */
  readonly checkHead?: ((head: ResponseHead) => void) | undefined;
  /** A body to POST. A redirect of a POST is returned and not followed. */
  readonly post?: Buffer | undefined;
}
