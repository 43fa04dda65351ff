import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Logger } from '@vcds/service-kit';
import type { MailSource } from '../registration/mail-source.ts';
import { renderMessage } from './message.ts';
import { DeliveryError, type MailTransport } from './transport.ts';

/** From taking a job to sending: after it, another worker may have the job. */
const START_MS_MAX = 3_000;
const MARK_ATTEMPTS_MAX = 4;
const MARK_PAUSE_MS = 250;

/** The outcome of a delivery. */
export type Outcome =
  | { readonly is: 'sent' }
  /** This process sent it earlier, but could not mark it. */
  | { readonly is: 'repeated' }
  /** Nothing to send: used, sent or expired. */
  | { readonly is: 'gone' }
  | { readonly is: 'failed'; readonly failure: Failure };

export interface Failure {
  /** For the queue and the log: contains no address and no code. */
  readonly text: string;
  readonly isFinal: boolean;
  readonly retryAfterMs?: number | undefined;
  /** The instant at which the code expires; undefined if the registration could not be read. */
  readonly expiresAtMs?: number;
}

export interface Delivery {
  readonly source: MailSource;
  readonly transport: MailTransport;
  readonly sentHere: SentHere;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the duration of the transport's request, and whether it succeeded. */
  readonly onSent: (seconds: number, isSent: boolean) => void;
}

/**
 * Sends the message of a registration, unless it was sent, used or has expired. When the transport
 * has accepted the message, no later error in this process sends it again. Rejects with errors of
 * the transport other than DeliveryError.
 */
export async function deliver(registrationId: string, delivery: Delivery): Promise<Outcome> {
  const { source, transport, sentHere, clock, logger } = delivery;
  const startedMs = clock.monotonicMs();
  if (sentHere.has(registrationId)) {
    await markSent(registrationId, source, logger);
    return { is: 'repeated' };
  }
  let mail: Awaited<ReturnType<MailSource['load']>>;
  try {
    mail = await source.load(registrationId);
  } catch (error) {
    logger.warn({ registrationId, error }, 'failed to read a registration');
    return failed({ text: 'The registration could not be read.', isFinal: false });
  }
  if (mail === undefined || mail.expiresAt.getTime() <= clock.wallMs()) return { is: 'gone' };
  const expiresAtMs = mail.expiresAt.getTime();
  if (clock.monotonicMs() - startedMs > START_MS_MAX) {
    return failed({ text: 'The worker was delayed.', isFinal: false, expiresAtMs });
  }
  const sendingMs = clock.monotonicMs();
  const took = (): number => (clock.monotonicMs() - sendingMs) / 1_000;
  try {
    await transport.send(renderMessage(mail));
  } catch (error) {
    delivery.onSent(took(), false);
    if (!(error instanceof DeliveryError)) throw error;
    const { message: text, isFinal, retryAfterMs } = error;
    return failed({ text, isFinal, retryAfterMs, expiresAtMs });
  }
  delivery.onSent(took(), true);
  sentHere.add(registrationId, expiresAtMs);
  await markSent(registrationId, source, logger);
  return { is: 'sent' };
}

function failed(failure: Failure): Outcome {
  return { is: 'failed', failure };
}

// The acknowledgement in the queue follows: the message is sent again only if both are lost and
// this process has ended.
async function markSent(id: string, source: MailSource, logger: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await source.markSent(id);
      return;
    } catch (error) {
      if (attempt === MARK_ATTEMPTS_MAX) {
        logger.warn({ registrationId: id, error }, 'mail sent, but failed to record it');
        return;
      }
    }
    await delay(MARK_PAUSE_MS);
  }
}

/** More than one process sends within the life of a code. */
const ENTRIES_MAX = 100_000;

/** The registrations whose messages this process sent, until their codes expire. */
type SentHere = ReturnType<typeof createSentHere>;

/** Stores them in memory; above `entriesMax` the oldest are removed. */
export function createSentHere(clock: Clock, entriesMax = ENTRIES_MAX) {
  // All codes have the same life, so the order of sending is nearly that of expiry.
  const expiries = new Map<string, number>();
  const removeOld = (): void => {
    for (const [id, expiresAtMs] of expiries) {
      if (expiresAtMs > clock.wallMs() && expiries.size <= entriesMax) return;
      expiries.delete(id);
    }
  };
  return {
    has: (id: string): boolean => (expiries.get(id) ?? 0) > clock.wallMs(),
    add: (id: string, expiresAtMs: number): void => {
      expiries.set(id, expiresAtMs);
      removeOld();
    },
  };
}
