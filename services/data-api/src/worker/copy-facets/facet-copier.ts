import { CopyWriter } from '@vcds/clickhouse-engine';
import { createOutageLog, type Logger } from '@vcds/service-kit';
import pg from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { FACET_SCHEMA } from '../../facet-tables/schema.ts';
import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import { connectionOptions } from '../../postgres/connection.ts';
import { runAsLeader } from '../run-as-leader.ts';

/** Milliseconds between two signs of life of the session that holds the lock. */
const SIGN_MS = 1_000;
const RETRY_MS = 2_000;
const LOCK_STATEMENT_MS_MAX = 10_000;

export interface FacetCopierOptions {
  /** The primary; not through a pooler that shares sessions. */
  readonly connectionString: string;
  readonly place: {
    readonly url: string;
    readonly database: string;
    readonly cluster?: string | undefined;
  };
  readonly logger: Logger;
  readonly registry: Registry;
}

/**
 * Copies the facet index into ClickHouse and follows its changes, in one process at a time (see
 * {@link runAsLeader}), until closed.
 */
export function startFacetCopier(options: FacetCopierOptions): { close(): Promise<void> } {
  const { connectionString, place, logger, registry } = options;
  const stop = new AbortController();
  const outages = createOutageLog();
  const writer = new CopyWriter({
    ...place,
    schema: FACET_SCHEMA,
    logger,
    connect: () => connect(connectionString),
    ...createCopierMetrics(registry),
  });
  const done = runAsLeader({
    connectionString,
    name: 'data-worker facet copier',
    lock: ADVISORY_LOCKS.facetCopier,
    settings: {},
    statementMsMax: LOCK_STATEMENT_MS_MAX,
    retryMs: RETRY_MS,
    logger,
    signal: stop.signal,
    lead: async (client) => {
      const lost = new AbortController();
      const signs = setInterval(() => {
        client.query('SELECT 1').catch(() => lost.abort());
      }, SIGN_MS);
      try {
        await writer.follow(AbortSignal.any([stop.signal, lost.signal]));
      } catch (error) {
        outages.warn(logger, 'the copy in ClickHouse cannot be written; retrying', error);
      } finally {
        clearInterval(signs);
      }
      return RETRY_MS;
    },
  });
  return {
    close: async () => {
      stop.abort();
      await done;
      await writer.close();
    },
  };
}

/** A connection that reads tables as a whole, at the pace at which ClickHouse takes their rows. */
async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client(
    connectionOptions({
      connectionString,
      name: 'data-worker facet copy',
      settings: { idle_in_transaction_session_timeout: 600_000, jit: 'off' },
      statementMsMax: 0,
    }),
  );
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function createCopierMetrics(registry: Registry) {
  const registers = [registry];
  const rows = new Counter({
    name: 'vcds_facet_copy_rows_total',
    help: 'Rows that this process wrote to ClickHouse.',
    registers,
  });
  let ms: number | undefined;
  new Gauge({
    name: 'vcds_facet_copy_lag_seconds',
    help: 'Time since the copy in ClickHouse had all of the facet index, in the process that writes it.',
    registers,
    collect() {
      if (ms !== undefined) this.set(Math.max(0, Date.now() - ms) / 1_000);
    },
  });
  return {
    onWritten: (count: number) => rows.inc(count),
    onPosition: (_: string, atMs: number) => {
      ms = atMs;
    },
  };
}
