import type { AddressInfo } from 'node:net';
import type { Principal } from '@vcds/credentials';
import { createHttpServer, createLogger, createMetrics } from '@vcds/service-kit';
import { AccountShares } from '../../src/admission/index.ts';
import { createDataApp } from '../../src/app.ts';
import { SignalPublisher } from '../../src/background/publish-signals/publisher.ts';
import { sqlCategories } from '../../src/categories/sql-engine/sql-engine.ts';
import { Meter } from '../../src/credits/meter.ts';
import { createMeterMetrics } from '../../src/credits/metrics.ts';
import { Database } from '../../src/postgres/database.ts';
import { createCursorCodec } from '../../src/signals/index.ts';
import { unmeteredLedger } from '../unmetered-ledger.ts';
import type { FollowedPage } from './follower.ts';

const PRINCIPAL: Principal = {
  accountId: 'account-of-the-bench',
  keyId: 'key-of-the-bench',
  plan: 'scale',
  scopes: null,
  expiresAt: null,
};

const logger = createLogger({ service: 'bench', level: 'silent' });

/** The data API on a port of its own, for one caller, without credits. */
export interface BenchApi {
  page(query: Readonly<Record<string, string>>): Promise<FollowedPage>;
  close(): Promise<void>;
}

export async function openBenchApi(url: string): Promise<BenchApi> {
  const database = new Database({
    connectionString: url,
    connectionsMax: 4,
    statementMsMax: 10_000,
    logger,
  });
  const metrics = createMetrics('bench');
  const app = createDataApp({
    logger,
    metrics,
    settings: { requireHttps: false, trustProxy: undefined },
    services: {
      authenticate: async () => PRINCIPAL,
      meter: new Meter({
        ledger: unmeteredLedger,
        purchaseUrl: 'http://access.example/account/credits',
        metrics: createMeterMetrics(metrics.registry),
      }),
      database,
      shares: new AccountShares({ slots: 4, slotsPerAccount: 4, registry: metrics.registry }),
      categories: sqlCategories(database),
      cursors: createCursorCodec(['a-cursor-secret-of-enough-characters']),
      baseUrl: 'http://data.example/v2',
    },
  });
  const server = createHttpServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    page: async (query) => {
      const reply = await fetch(
        `http://127.0.0.1:${port}/v2/signals?${new URLSearchParams(query)}`,
      );
      if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as FollowedPage;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}

/** A publisher in this process. */
export function startBenchPublisher(url: string): SignalPublisher {
  const metrics = { published: () => {}, leads: () => {}, failed: () => {} };
  return SignalPublisher.start({ connectionString: url, logger, metrics });
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
