import { type ImportReport, runImport } from '@vcds/importer';
import { createLogger, createMetrics } from '@vcds/service-kit';
import { eventually } from '@vcds/test-kit';
import {
  createPublisherMetrics,
  type PublisherMetrics,
} from '../../../src/worker/publish-signals/metrics.ts';
import { SignalPublisher } from '../../../src/worker/publish-signals/publisher.ts';
import { openApi, type Query, type Reply, type TestApi } from '../../support/api.ts';

export interface Signal {
  readonly id: string;
  readonly type: string;
  readonly detectedAt: string;
  readonly occurredAt: string;
  readonly subject: { readonly type: string; readonly id: string; readonly name?: string | null };
  readonly object?: { readonly type: string; readonly id: string; readonly name?: string | null };
  readonly amount?: number | null;
  readonly label?: string | null;
}

export interface SignalPage {
  readonly signals: readonly Signal[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
  readonly order: string;
}

/** The data API and a publisher over a new database. */
export interface Feed {
  readonly api: TestApi;
  readonly url: string;
  get(query?: Query): Promise<Reply>;
  /** A page; fails unless the answer is 200. */
  page(query?: Query): Promise<SignalPage>;
  /** All pages from the first call on, by the recipe of docs/spec/signals.md 9.1. */
  follow(query: Query): Promise<{ readonly signals: Signal[]; readonly cursor: string }>;
  importLines(lines: readonly object[]): Promise<ImportReport>;
  /** Waits until all committed changes are published. */
  published(): Promise<void>;
  close(): Promise<void>;
}

export async function openFeed(options: Parameters<typeof openApi>[0] = {}): Promise<Feed> {
  const api = await openApi({ seed: 'SELECT 1', ...options });
  const url = api.sql.options.connectionString ?? '';
  const publisher = startPublisher(url);
  const get = (query: Query = {}) => api.get('/signals', query);
  const page = async (query: Query = {}): Promise<SignalPage> => {
    const reply = await get(query);
    if (reply.status !== 200) throw new Error(`/signals: ${reply.status} ${reply.text}`);
    return reply.body as SignalPage;
  };
  return {
    api,
    url,
    get,
    page,
    follow: (query) => followFeed(page, query),
    importLines: (lines) =>
      runImport({
        connectionString: url,
        stream: { name: 'lines', lines: lines.map((line) => JSON.stringify(line)) },
      }),
    published: () => published(api.sql),
    close: async () => {
      await publisher.close();
      await api.close();
    },
  };
}

/** A publisher in this process. */
export function startPublisher(
  url: string,
  metrics: PublisherMetrics = unmeasured,
): SignalPublisher {
  const logger = createLogger({ service: 'test', level: 'silent' });
  return new SignalPublisher({ connectionString: url, logger, metrics });
}

const unmeasured: PublisherMetrics = {
  published: () => undefined,
  leads: () => undefined,
  failed: () => undefined,
};

/** Measures in a registry of their own. */
export function measured(pool: TestApi['sql']) {
  const { registry } = createMetrics('test');
  return { registry, metrics: createPublisherMetrics(registry, pool) };
}

/** Waits until the outbox is empty. */
export async function published(pool: TestApi['sql']): Promise<void> {
  const waiting = 'SELECT FROM venture.signal_outbox LIMIT 1';
  await eventually(async () => (await pool.query(waiting)).rowCount === 0, {
    timeoutMs: 120_000,
    intervalMs: 10,
  });
}

/** All pages from the first on: each further one with the cursor, while hasMore is true. */
export async function followFeed(
  page: (query: Query) => Promise<SignalPage>,
  query: Query,
): Promise<{ readonly signals: Signal[]; readonly cursor: string }> {
  const signals: Signal[] = [];
  let cursor = query.cursor;
  for (;;) {
    const next = await page({
      ...query,
      order: 'asc',
      ...(cursor === undefined ? {} : { cursor }),
    });
    signals.push(...next.signals);
    cursor = next.nextCursor;
    if (!next.hasMore) return { signals, cursor };
    if (next.signals.length === 0) throw new Error('a page with hasMore is never empty');
  }
}
