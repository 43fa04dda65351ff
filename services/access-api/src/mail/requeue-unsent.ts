import { setTimeout as delay } from 'node:timers/promises';
import { createOutageLog, type Logger } from '@vcds/service-kit';
import type { UnsentMails } from '../registration/mail-source.ts';
import type { RegistrationId } from '../registration/redis-keys.ts';

const EVERY_MS = 5_000;
/** A message that is in the queue is checked again after this time. */
const AGAIN_MS = 60_000;

interface RequeueOptions {
  readonly unsent: UnsentMails;
  /** Queues the message of a registration; false if the queue already had it. */
  readonly enqueue: (id: RegistrationId) => Promise<boolean>;
  /** Called for each message that was missing from the queue. */
  readonly onRequeued: (id: RegistrationId) => void;
  readonly logger: Logger;
  /** Default 5,000. */
  readonly everyMs?: number | undefined;
}

/**
 * Every 5 s, queues the messages of registrations that are neither sent nor in the queue, because
 * the process that opened them crashed or the queue did not accept the message. The job id is the
 * registration id, so any number of workers may do this at the same time.
 */
export function requeueUnsent(options: RequeueOptions): { stop(): void } {
  const { logger, everyMs = EVERY_MS } = options;
  const stopping = new AbortController();
  const outages = createOutageLog();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await pass(options);
      } catch (error) {
        const subject = 'unsent mail could not be queued';
        if (!stopping.signal.aborted) outages.warn(logger, subject, error);
      }
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  void run();
  return { stop: () => stopping.abort() };
}

async function pass({ unsent, enqueue, onRequeued }: RequeueOptions): Promise<void> {
  for (const id of await unsent.due()) {
    if (await enqueue(id)) onRequeued(id);
    await unsent.postpone(id, AGAIN_MS);
  }
}
