/** The parts of a data-api that serves the sandbox in place of its own database (docs/spec/sandbox.md). */
import type { Ledger } from '@vcds/metering';
import type { RedisClient } from '@vcds/metering/redis';
import { ConfigError, type Logger, type Metrics, systemClock } from '@vcds/service-kit';
import pg from 'pg';
import { Registry } from 'prom-client';
import type { LoadedFacetEngine } from './categories/facet-schema.ts';
import { openFacets } from './categories/open-facets.ts';
import type { DataApiConfig } from './config.ts';
import { openDatabase } from './open-database.ts';
import type { Database } from './postgres/database.ts';
import { NO_KEY, sandboxAuthenticate } from './sandbox/caller.ts';
import { sandboxLedger } from './sandbox/ledger.ts';
import { assertNoneRequested } from './sandbox/requested-error.ts';
import { openRuns, type Runs } from './sandbox/runs.ts';
import { sandboxSites } from './sandbox/sites.ts';
import {
  hasRecords,
  readMarks,
  SANDBOX_MARK,
  SANDBOX_STATES,
  sandboxDatabase,
  sandboxSnapshots,
  UNFINISHED,
  urlOfDatabase,
} from './sandbox-data/databases.ts';
import { LAST_STEP } from './sandbox-data/day.ts';
import type { Call } from './serve/call.ts';
import { badParameter } from './serve/request/parameter-reader.ts';
import { STEP_HEADER } from './serve/sandbox-headers.ts';
import type { Services } from './serve/serve.ts';

/** The components that the parts use. */
export interface PartsContext {
  readonly config: DataApiConfig;
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly scanConnectionsMax: number;
}

/** The parts of data-api that a sandbox has in another form. */
export interface Parts extends Pick<Services, 'authenticate' | 'sites' | 'observe' | 'stateOf'> {
  readonly database: Database;
  /** PostgreSQL without a pooler. */
  readonly directUrl: string;
  readonly loaded?: LoadedFacetEngine | undefined;
  readonly ledger: Ledger;
  readonly snapshotUrl: string | undefined;
  /** For `/ready`. */
  readonly assertKeys: () => Promise<void>;
  readonly runs?: Runs;
  readonly resources: readonly { readonly name: string; close(): Promise<void> }[];
}

/** Opens the databases of all states of the day, which {@link assertSandbox} has found. */
export function openSandbox(context: PartsContext): Parts {
  const { config, redis } = context;
  const states = SANDBOX_STATES.map((step) => openState(context, step));
  const [first, last] = [states[0], states.at(-1)];
  if (first === undefined || last === undefined) throw new Error('The day has no state.');
  const runs = openRuns(redis);
  const { SNAPSHOT_URL } = config;
  return {
    ...{ database: first.database, directUrl: first.url, runs },
    snapshotUrl: SNAPSHOT_URL && sandboxSnapshots(SNAPSHOT_URL),
    authenticate: sandboxAuthenticate,
    assertKeys: () => Promise.resolve(),
    ledger: sandboxLedger(systemClock),
    sites: sandboxSites(last.database.pool),
    observe: () => Promise.resolve(),
    stateOf: async (call) => {
      const step = await stepOf(call, runs);
      call.response.setHeader(STEP_HEADER, step);
      assertNoneRequested(call.request);
      const state = states[step];
      if (state === undefined) throw new Error('A step of the day has no database.');
      return state;
    },
    resources: [
      {
        name: 'states of the sandbox',
        close: async () => {
          await Promise.all(states.slice(1).map(({ database }) => database.close()));
        },
      },
    ],
  };
}

/** @throws ApiError `bad_parameter` for an invalid step, `unavailable`. */
async function stepOf({ request, principal }: Call, runs: Runs): Promise<number> {
  const value = request.get(STEP_HEADER);
  if (value === undefined) {
    return principal.keyId === NO_KEY ? 0 : Math.min(await runs.stepOf(principal.keyId), LAST_STEP);
  }
  const step = Number(value);
  if (/^\d{1,3}$/.test(value) && step <= LAST_STEP) return step;
  const message = `Header ${STEP_HEADER} must be a whole number from 0 to ${LAST_STEP}.`;
  throw badParameter(STEP_HEADER, value, message);
}

function openState({ config, logger, metrics, scanConnectionsMax }: PartsContext, step: number) {
  // Only the pools of the first state have metrics.
  const registry = step === 0 ? metrics.registry : new Registry();
  const url = urlOfDatabase(config.DATABASE_URL, sandboxDatabase(config.DATABASE_URL, step));
  const own: DataApiConfig = {
    ...config,
    ...{ DATABASE_URL: url, DATABASE_REPLICA_URL: undefined },
    // A read has a slot among those of all states.
    DATABASE_CONNECTIONS: Math.ceil(config.DATABASE_CONNECTIONS / 2),
  };
  const database = openDatabase(own, { scanConnectionsMax, registry, logger });
  database.start();
  // Counts in the database: the index in memory would be a thread for each state.
  const { categories } = openFacets({ database, registry: new Registry(), logger });
  return { url, database, categories };
}

/**
 * Checks a sandbox before it is served to everyone.
 *
 * @throws ConfigError unless `npm run sandbox` made its databases, and the database beside them has no records
 *   but invented ones; the driver's error.
 */
export async function assertSandbox(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'vcds sandbox' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const marks = await readMarks(client, url);
    const [first = ''] = marks.values();
    const isWhole =
      marks.size === SANDBOX_STATES.length &&
      first.startsWith(`${SANDBOX_MARK} `) &&
      !first.endsWith(UNFINISHED) &&
      [...marks.values()].every((mark) => mark === first);
    if (!isWhole) {
      throw new ConfigError([
        'SANDBOX is on, but the databases of the sandbox are missing beside DATABASE_URL or not complete. ' +
          'Run npm run sandbox (docs/spec/sandbox.md 29.6).',
      ]);
    }
    if (await hasRecords(client)) {
      throw new ConfigError([
        'SANDBOX is on, but the database of DATABASE_URL has records that are not invented. Give the ' +
          'sandbox a database of its own, or set SANDBOX=off.',
      ]);
    }
  } finally {
    await client.end();
  }
}
