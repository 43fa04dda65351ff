import { Readable } from 'node:stream';
import {
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import type { Place } from './tables.ts';

/** ClickHouse could not be reached, or rejected the statement. */
export class ClickHouseFailure extends Error {
  /** The number of the error in ClickHouse; undefined if it did not respond. */
  readonly code: number | undefined;

  constructor(error: unknown) {
    super(`ClickHouse: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
    this.name = 'ClickHouseFailure';
    this.code = error instanceof ClickHouseError ? Number(error.code) : undefined;
  }
}

export interface ConnectionOptions extends Place {
  /** `http(s)://user:password@host:port`. */
  readonly url: string;
  /** Milliseconds for one statement. */
  readonly msMax: number;
  readonly settings?: ClickHouseSettings;
}

/** Milliseconds that ClickHouse has to report that it stopped a statement. */
const RESPONSE_MARGIN_MS = 1_000;

/** The server and the database of an address; without a path the database is `default`. */
export function placeOf(address: string): { readonly url: string; readonly database: string } {
  const url = new URL(address);
  const database = decodeURIComponent(url.pathname.slice(1)) || 'default';
  url.pathname = '/';
  return { url: url.href, database };
}

/** Statements of ClickHouse, each bounded in time. */
export class Connection {
  readonly #client: ReturnType<typeof createClient>;
  readonly #settings: ClickHouseSettings;

  constructor({ url, msMax, settings }: ConnectionOptions) {
    this.#settings = { max_execution_time: msMax / 1_000, ...settings };
    this.#client = createClient({
      url,
      application: 'venture-capital-data-service',
      request_timeout: msMax + RESPONSE_MARGIN_MS,
      use_multipart_params_auto: true,
      // Errors are logged where they are handled.
      log: { level: ClickHouseLogLevel.OFF },
    });
  }

  /** @throws ClickHouseFailure, or the reason of the signal. */
  async rows<Row>(
    query: string,
    params: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
    settings: ClickHouseSettings = {},
  ): Promise<Row[]> {
    return this.#attempt(signal, async () => {
      const found = await this.#client.query({
        query,
        query_params: { ...params },
        format: 'JSONEachRow',
        clickhouse_settings: {
          ...this.#settings,
          ...settings,
          output_format_json_quote_64bit_integers: 0,
        },
        ...(signal && { abort_signal: signal }),
      });
      return found.json<Row>();
    });
  }

  /** A statement without a result. @throws ClickHouseFailure */
  async run(query: string, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#attempt(undefined, () =>
      this.#client.command({ query, clickhouse_settings: { ...this.#settings, ...settings } }),
    );
  }

  /** Inserts rows in the format `RowBinary`. @throws ClickHouseFailure, or the reason of the signal. */
  async insert(table: string, rows: Buffer, signal?: AbortSignal): Promise<void> {
    await this.#attempt(signal, async () => {
      const { stream } = await this.#client.exec({
        query: `INSERT INTO ${table} FORMAT RowBinary`,
        values: Readable.from([rows], { objectMode: false }),
        clickhouse_settings: this.#settings,
        ...(signal && { abort_signal: signal }),
      });
      for await (const _ of stream);
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #attempt<Result>(
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      throw new ClickHouseFailure(error);
    }
  }
}
