import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const DELAY_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const SEND_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const RESULTS = ['sent', 'repeated', 'gone', 'retried', 'failed'] as const;
/** The outcome of an attempt. */
export type MailResult = (typeof RESULTS)[number];

export type MailMetrics = ReturnType<typeof createMailMetrics>;

export interface MailGauges {
  /** Jobs by state; undefined while the queue is unavailable. */
  readonly jobCounts: () => Promise<Readonly<Record<string, number>> | undefined>;
  readonly unansweredCanaries: () => number;
}

/** Registers the metrics. The gauges are read on each scrape. */
export function createMailMetrics(registry: Registry, gauges: MailGauges) {
  const registers = [registry];
  const results = new Counter({
    name: 'vcds_mail_jobs_total',
    help: 'Mail jobs by result; each retry of a job counts as another attempt.',
    labelNames: ['result'],
    registers,
  });
  // From 0 on, since an increase to a first value is none: an alert would miss the first failure.
  for (const result of RESULTS) results.inc({ result }, 0);
  const delays = new Histogram({
    name: 'vcds_mail_delay_seconds',
    help: 'Time from queueing a message until the transport accepts it.',
    buckets: DELAY_BUCKETS_SECONDS,
    registers,
  });
  const sends = new Histogram({
    name: 'vcds_mail_send_duration_seconds',
    help: 'Duration of one request to the transport.',
    labelNames: ['transport', 'outcome'],
    buckets: SEND_BUCKETS_SECONDS,
    registers,
  });
  const stalled = new Counter({
    name: 'vcds_mail_stalled_jobs_total',
    help: 'Jobs taken over from a crashed worker.',
    registers,
  });
  const requeued = new Counter({
    name: 'vcds_mail_requeued_total',
    help: 'Unsent messages that were missing from the queue and that the worker queued.',
    registers,
  });
  new Gauge({
    name: 'vcds_mail_queue_jobs',
    help: 'Jobs in the queue by state.',
    labelNames: ['state'],
    registers,
    async collect() {
      const counts = await gauges.jobCounts();
      this.reset();
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'vcds_mail_canaries_unanswered',
    help: 'Canaries that the queue accepted since this worker last took a job.',
    registers,
    collect() {
      this.set(gauges.unansweredCanaries());
    },
  });
  return {
    recordResult: (result: MailResult) => results.inc({ result }),
    /** From queueing a message until the transport accepts it. */
    recordDelay: (seconds: number) => delays.observe(seconds),
    recordSend: (transport: string, isSent: boolean, seconds: number) =>
      sends.observe({ transport, outcome: isSent ? 'sent' : 'failed' }, seconds),
    recordStalled: () => stalled.inc(),
    recordRequeued: () => requeued.inc(),
  };
}
