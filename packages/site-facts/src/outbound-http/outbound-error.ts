/** Why an outbound request has no usable response. The list is closed. */
export type OutboundReason =
  /** Not an http or https URL on its own port with a host name and no credentials. */
  | 'bad_url'
  /** The host is not public: by its name, its literal address, or any address DNS gives for it. */
  | 'address_not_public'
  /** No such host, no connection, no valid certificate, or no response. */
  | 'unreachable'
  /** The time limit of the whole request. */
  | 'timeout'
  /** The body, as sent or decompressed, is above the limit. */
  | 'too_large'
  /** More redirects than the limit, or a loop. */
  | 'too_many_redirects'
  /** Not valid HTTP, or a body that ends early or does not match its encoding. */
  | 'bad_response';

/**
 * An outbound request failed. The message is safe for the client who gave the URL: it contains no
 * resolved address.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The error of a host that is not public, however that was found. */
export function notPublic(): OutboundError {
  return new OutboundError('address_not_public', 'The host is not on the public internet.');
}
