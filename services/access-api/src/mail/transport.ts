/** A rendered message. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The code that `text` and `html` show. */
  readonly code: string;
}

/** Hands messages to a provider. */
export interface MailTransport {
  readonly name: string;
  /**
   * Resolves when the provider has accepted the message, or rejects, within 10 s.
   *
   * @throws DeliveryError
   */
  send(message: Message): Promise<void>;
}

export interface DeliveryFailure {
  /** Whether a retry cannot succeed. */
  readonly isFinal: boolean;
  /** The wait that the provider requested. */
  readonly retryAfterMs?: number;
}

/** The provider did not accept a message. The text contains no address, code or response. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly isFinal: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(text: string, { isFinal, retryAfterMs }: DeliveryFailure) {
    super(text);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}
