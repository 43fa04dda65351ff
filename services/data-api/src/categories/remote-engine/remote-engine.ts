import { setTimeout as delay } from 'node:timers/promises';
import { createServiceTokenSigner } from '@vcds/credentials';
import { EngineUnavailableError } from '@vcds/facet-engine';
import {
  type Clock,
  createOutageLog,
  type Logger,
  systemClock,
  tracedRequests,
} from '@vcds/service-kit';
import { ENTITY_IDS, type EntityId } from '@vcds/venture-model';
import { Pool } from 'undici';
import type {
  FacetCounts,
  FacetQuery,
  FirstRecords,
  FirstRecordsQuery,
  LoadedFacetEngine,
  RecordCount,
  RecordQuery,
} from '../facet-schema.ts';
import {
  decodeCounts,
  decodeFirst,
  decodeRecordCount,
  decodeState,
  encodeFirstQuery,
  FACET_SCHEMA_DIGEST,
  FACETS_COUNT_PATH,
  FACETS_FIRST_PATH,
  FACETS_PARTIES,
  FACETS_RECORDS_PATH,
  FACETS_STATE_PATH,
  type FacetProcessState,
} from './protocol.ts';

const SOCKETS_MAX = 64;
const COUNT_MS_MAX = 2_000;
const STATE_MS_MAX = 1_000;
const POLL_MS = 250;
const STALE_MS = 10_000;
/** Above 10 dimensions of 500 values of 500 characters. */
const RESPONSE_BYTES_MAX = 16 * 1024 * 1024;
const NO_ROWS = Object.fromEntries(ENTITY_IDS.map((id) => [id, 0])) as Record<EntityId, number>;

export interface RemoteEngineOptions {
  /** Root of the internal listener of the facet process. */
  readonly url: string;
  readonly serviceTokenSecret: string;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Milliseconds between polls of the state. */
  readonly pollMs?: number;
  /** Milliseconds that a count waits for its response. */
  readonly countMsMax?: number;
}

/**
 * Counts in the facet process. It polls the state of that process; it is ready while the process
 * responds, has the same facet schema, is loaded, and had everything that was committed less than
 * 10 s ago. A count that gets no response within 2 s makes it not ready until the next
 * successful poll, so that a process that does not respond costs later counts no time.
 */
export class RemoteFacetEngine implements LoadedFacetEngine {
  readonly name = 'remote';
  readonly #options: RemoteEngineOptions;
  readonly #clock: Clock;
  readonly #pool: Pool;
  readonly #closing = new AbortController();
  readonly #outages = createOutageLog();
  readonly #send: (path: string, body: object, signal: AbortSignal) => Promise<string>;
  #polling: Promise<void> | undefined;
  #last: { readonly state: FacetProcessState; readonly sentAtMs: number } | undefined;
  /** Counts without a response; a poll sent before the last of them does not make it ready. */
  #failures = 0;

  constructor(options: RemoteEngineOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#pool = new Pool(new URL(options.url).origin, {
      connections: SOCKETS_MAX,
      maxResponseSize: RESPONSE_BYTES_MAX,
    });
    const { serviceTokenSecret } = options;
    const sign = createServiceTokenSigner(serviceTokenSecret, FACETS_PARTIES, this.#clock);
    this.#send = async (path, body, signal) => {
      const send = tracedRequests('facets', async (request) => {
        const response = await this.#pool.request({ ...request, signal });
        return { status: response.statusCode, text: await response.body.text() };
      });
      const headers = {
        authorization: `Bearer ${sign()}`,
        'content-type': 'application/json',
      };
      const { status, text } = await send({
        method: 'POST',
        path,
        headers,
        body: JSON.stringify(body),
      });
      if (status !== 200) {
        throw new EngineUnavailableError(`the facet process responded ${status}`);
      }
      return text;
    };
  }

  /** No memory: the copy is in the facet process. */
  state() {
    const last = this.#last;
    const lagMs =
      typeof last?.state.lagMs === 'number'
        ? last.state.lagMs + this.#clock.monotonicMs() - last.sentAtMs
        : undefined;
    return {
      ready: last?.state.ready === true && lagMs !== undefined && lagMs <= STALE_MS,
      rows: last?.state.rows ?? NO_ROWS,
      bytes: 0,
      loadMs: last?.state.loadMs ?? undefined,
      lagMs,
    };
  }

  start(): void {
    this.#polling ??= this.#poll();
  }

  /** @throws EngineUnavailableError, errors of the connection, or the reason of the signal. */
  async count(query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
    return decodeCounts(await this.#ask(FACETS_COUNT_PATH, query, signal), query);
  }

  /** @throws as {@link count}. */
  async countRecords(query: RecordQuery, signal?: AbortSignal): Promise<RecordCount> {
    return decodeRecordCount(await this.#ask(FACETS_RECORDS_PATH, query, signal));
  }

  /** @throws as {@link count}. */
  async firstRecords(query: FirstRecordsQuery, signal?: AbortSignal): Promise<FirstRecords> {
    return decodeFirst(await this.#ask(FACETS_FIRST_PATH, encodeFirstQuery(query), signal));
  }

  async #ask(path: string, query: object, signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    if (!this.state().ready) throw new EngineUnavailableError('the facet process is not ready');
    const { countMsMax = COUNT_MS_MAX } = this.#options;
    const limit = AbortSignal.timeout(countMsMax);
    const body = { schema: FACET_SCHEMA_DIGEST, query };
    try {
      const ends = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      return await this.#send(path, body, ends);
    } catch (error) {
      signal?.throwIfAborted();
      // With a response the process works: the next poll has its state.
      if (!(error instanceof EngineUnavailableError)) {
        this.#failures += 1;
        this.#last = undefined;
      }
      if (!limit.aborted) throw error;
      throw new EngineUnavailableError(`no response within ${countMsMax} ms`);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#last = undefined;
    await this.#polling;
    await this.#pool.destroy();
  }

  async #poll(): Promise<void> {
    const { pollMs = POLL_MS, logger } = this.#options;
    const closing = this.#closing.signal;
    while (!closing.aborted) {
      const failures = this.#failures;
      const sentAtMs = this.#clock.monotonicMs();
      try {
        const state = await this.#readState(closing);
        if (failures === this.#failures && !closing.aborted) this.#last = { state, sentAtMs };
      } catch (error) {
        this.#last = undefined;
        const message = 'facet process unavailable; the database counts instead';
        if (!closing.aborted) this.#outages.warn(logger, message, error);
      }
      await delay(pollMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
    }
  }

  async #readState(closing: AbortSignal): Promise<FacetProcessState> {
    const limit = AbortSignal.any([closing, AbortSignal.timeout(STATE_MS_MAX)]);
    const state = decodeState(await this.#send(FACETS_STATE_PATH, {}, limit));
    if (state.schema !== FACET_SCHEMA_DIGEST) {
      throw new EngineUnavailableError('the facet process has another facet schema');
    }
    return state;
  }
}
