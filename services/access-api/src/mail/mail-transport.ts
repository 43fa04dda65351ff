/** A message ready to go. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The code that `text` and `html` show. */
  readonly code: string;
}

/** Hands messages over for delivery. */
export interface MailTransport {
  readonly name: string;
  /**
   * Resolves once the message is in somebody's care; within 10 s in any case.
   *
   * @throws DeliveryError
   */
  send(message: Message): Promise<void>;
}

export interface DeliveryFault {
  /** Whether the same message may get through later. */
  readonly isFinal: boolean;
  /** How long the other side asked to be left alone. */
  readonly retryAfterMs?: number;
}

/** A message was not handed over. The text holds no address, code or answer of the other side. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly isFinal: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(text: string, { isFinal, retryAfterMs }: DeliveryFault) {
    super(text);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}
