import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const DELAY_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const SEND_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What happened to a job. */
export type MailResult = 'sent' | 'repeated' | 'gone' | 'retried' | 'failed';

/** The measures of the mail consumer. */
export interface MailMeasures {
  recordResult(result: MailResult): void;
  /** From asking for the mail to the transport's taking it. */
  recordDelay(seconds: number): void;
  recordSend(transport: string, isSent: boolean, seconds: number): void;
  recordStalled(): void;
  recordRequeued(): void;
}

export interface MailGauges {
  /** Jobs by state; undefined while the queue cannot be asked. */
  readonly jobCounts: () => Promise<Readonly<Record<string, number>> | undefined>;
  readonly unansweredCanaries: () => number;
}

/** Registers the measures, and the gauges that are read when Prometheus asks. */
export function measureMail(registry: Registry, gauges: MailGauges): MailMeasures {
  const registers = [registry];
  const results = new Counter({
    name: 'mail_jobs_total',
    help: 'Jobs by what came of them; a retried one counts again with its next attempt.',
    labelNames: ['result'],
    registers,
  });
  const delays = new Histogram({
    name: 'mail_delay_seconds',
    help: "Time from a mail's being queued to its being taken by the transport.",
    buckets: DELAY_BUCKETS_SECONDS,
    registers,
  });
  const sends = new Histogram({
    name: 'mail_send_duration_seconds',
    help: 'Time the transport took for one message.',
    labelNames: ['transport', 'outcome'],
    buckets: SEND_BUCKETS_SECONDS,
    registers,
  });
  const stalled = new Counter({
    name: 'mail_stalled_jobs_total',
    help: 'Jobs taken over from a worker that had gone.',
    registers,
  });
  const requeued = new Counter({
    name: 'mail_requeued_total',
    help: 'Messages that were neither sent nor in the queue, and were queued by the worker.',
    registers,
  });
  registerGauges(registry, gauges);
  return {
    recordResult: (result) => results.inc({ result }),
    recordDelay: (seconds) => delays.observe(seconds),
    recordSend: (transport, isSent, seconds) =>
      sends.observe({ transport, outcome: isSent ? 'sent' : 'failed' }, seconds),
    recordStalled: () => stalled.inc(),
    recordRequeued: () => requeued.inc(),
  };
}

function registerGauges(registry: Registry, gauges: MailGauges): void {
  new Gauge({
    name: 'mail_queue_jobs',
    help: 'Jobs in the queue by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await gauges.jobCounts();
      this.reset();
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'mail_canaries_unanswered',
    help: 'Canaries the queue took since this worker last took a job.',
    registers: [registry],
    collect() {
      this.set(gauges.unansweredCanaries());
    },
  });
}
