import { setImmediate as nextTurn } from 'node:timers/promises';
import { createOutageLog, type Logger } from '@vcds/service-kit';
import type { RegistrationId } from './redis-keys.ts';
import type { RegistrationMetrics } from './registration-metrics.ts';

export type MailSender = ReturnType<typeof createMailSender>;

export interface MailSenderOptions {
  /** Queues registrations for the worker, by id, without address and code. */
  readonly queue: { enqueue(registrationId: string): Promise<void> };
  readonly metrics: RegistrationMetrics;
  readonly logger: Logger;
}

/** Queues the messages of new registrations without delaying their responses. */
export function createMailSender({ queue, metrics, logger }: MailSenderOptions) {
  const sending = new Set<Promise<void>>();
  const outages = createOutageLog();
  const enqueue = async (id: RegistrationId): Promise<void> => {
    await nextTurn();
    try {
      await queue.enqueue(id);
      metrics.mailQueued(true);
    } catch (error) {
      metrics.mailQueued(false);
      outages.warn(logger, 'message not queued; the worker will queue it', error, { id });
    }
  };
  return {
    /**
     * Queues a message in a later turn of the event loop, so that the duration of a response does
     * not depend on it. If that fails or the process exits first, the worker queues the message.
     */
    send: (id: RegistrationId): void => {
      const job = enqueue(id).finally(() => sending.delete(job));
      sending.add(job);
    },
    /** Resolves once every message is queued or left to the worker. */
    settled: async (): Promise<void> => void (await Promise.all(sending)),
  };
}
