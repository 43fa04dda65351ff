import { generateKeyPairSync } from 'node:crypto';
import { createLedgerSyncer } from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import {
  createLogger,
  createMetrics,
  createPublicApp,
  createRedis,
  type EdgeSettings,
  type Route,
  redisReady,
} from '@vcds/service-kit';
import type { Express } from 'express';
import request from 'supertest';
import { createSessionStore } from '../../src/accounts/session-store.ts';
import { openLedgerPool } from '../../src/credits/ledger-pool.ts';
import { createLedgerTable } from '../../src/credits/ledger-table.ts';
import { createUsageHistory } from '../../src/credits/usage-history.ts';
import { usageRoute } from '../../src/credits/usage-route.ts';
import { createUsageSums } from '../../src/credits/usage-sums.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { openLegacy } from '../../src/legacy/open-legacy.ts';
import { parseSigningKeys, type SigningKeys } from '../../src/legacy/signing-keys.ts';
import { accountAreaRoutes } from '../../src/pages/account-area.ts';
import { createDisposableDomains } from '../../src/registration/disposable-domains.ts';
import type { IssuanceOptions } from '../../src/registration/issuance.ts';
import type { MailDomainCheck } from '../../src/registration/mail-domain.ts';
import {
  createMailSource,
  type MailSource,
  type PendingMail,
} from '../../src/registration/mail-source.ts';
import { createRegistrationMeasures } from '../../src/registration/registration-measures.ts';
import {
  createRegistrationStore,
  type RegistrationStore,
} from '../../src/registration/registration-store.ts';
import { createRegistrations, type Registrations } from '../../src/registration/registrations.ts';
import { registrationRoutes } from '../../src/registration/routes.ts';
import { createRegistrationSecrets } from '../../src/registration/secrets.ts';
import { createKeyChecker } from '../../src/store/key-check.ts';
import { type Access, openAccess, PATIENCE } from '../access.ts';

export const CODE_SECRET = 'a-code-secret-of-enough-characters';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const SIGNING_KEYS = parseSigningKeys(
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
);
export const ACCESS_URL = 'https://access.example.com';
export const DATA_URL = 'https://data.example.com';

/** The public app of access-api on real stores, with a clock that stands still. */
export interface Fixture {
  readonly access: Access;
  readonly app: Express;
  readonly mail: MailSource;
  readonly store: RegistrationStore;
  readonly registrations: Registrations;
  /** Ids handed to the queue so far. */
  readonly queued: string[];
  /** All measures, as `/metrics` gives them. */
  readonly measures: () => Promise<string>;
  /** Everything logged so far. */
  readonly log: () => string;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly refusedDomains?: readonly string[];
  readonly canReceive?: MailDomainCheck;
  readonly settings?: Partial<EdgeSettings>;
  readonly issuance?: (real: IssuanceOptions) => IssuanceOptions;
  readonly redisUrl?: string;
  readonly signingKeys?: SigningKeys;
  readonly supportEmail?: string;
  readonly accessUrl?: string;
}

export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const access = await openAccess(options.redisUrl);
  const { accounts, clock, database, history, keeper } = access;
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'access-api', level: 'debug', sink });
  const redis = createRedis({ url: access.redisUrl, name: 'registrations', logger, ...PATIENCE });
  await redisReady(redis);
  const secrets = createRegistrationSecrets(CODE_SECRET);
  const metrics = createMetrics('access-api');
  const accessPublicUrl = options.accessUrl ?? ACCESS_URL;
  const store = createRegistrationStore({ redis, secrets, clock, accessPublicUrl });
  const { ledger, stream } = createRedisLedger({ redis });
  const pool = openLedgerPool(access.databaseUrl, logger);
  // What the worker does: a ledger nobody has looked after says nothing.
  await createLedgerSyncer(stream, createLedgerTable(pool)).pass();
  await pool.end();
  const queued: string[] = [];
  const accountKeys = createAccountKeys({
    database,
    history,
    store: access.store,
    accounts,
    clock,
  });
  const real = { accounts, history, ledger, accountKeys };
  const registrations = createRegistrations({
    ...(options.issuance?.(real) ?? real),
    store,
    queue: { enqueue: async (id) => void queued.push(id) },
    isDisposable: createDisposableDomains(new Set(options.refusedDomains)),
    canReceive: options.canReceive,
    measures: createRegistrationMeasures(metrics.registry),
    logger,
  });
  const checker = createKeyChecker({ keeper, history, clock });
  const legacy = openLegacy({
    keys: options.signingKeys ?? SIGNING_KEYS,
    codeSecret: CODE_SECRET,
    registry: metrics.registry,
    store: access.store,
    ...{ redis, database, history, checker, logger, clock },
  });
  const urls = { accessPublicUrl, dataPublicUrl: DATA_URL };
  const routes: Route[] = [
    ...registrationRoutes({ registrations, ...urls }),
    ...accountAreaRoutes({
      ...urls,
      sessions: createSessionStore(redis, clock),
      publicUrl: accessPublicUrl,
      registrations,
      accountKeys,
      history,
      ledger,
      clock,
      charges: createUsageHistory(database),
      usage: createUsageSums(database),
      supportEmail: options.supportEmail,
    }),
    usageRoute({ checker, tokenCheck: legacy.tokenCheck, ledger }),
    ...legacy.publicRoutes,
  ];
  const app = createPublicApp({
    logger,
    metrics,
    settings: {
      requireHttps: false,
      trustProxy: '1',
      cacheControl: 'no-store',
      ...options.settings,
    },
    routes,
  });
  return {
    access,
    app,
    mail: createMailSource(redis, secrets, clock),
    store,
    registrations,
    queued,
    measures: () => metrics.registry.metrics(),
    log: () => lines.join(''),
    close: async () => {
      redis.disconnect();
      await access.close();
    },
  };
}

let clients = 0;
/** A client address nobody had before. */
export function newClient(): string {
  clients += 1;
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
}

let people = 0;
/** A mailbox nobody had before. */
export function newAddress(): string {
  people += 1;
  return `person${people}@example.com`;
}

export const BASE = '/api/v1';

/** Registers from a client of its own. */
export function register({ app }: Fixture, email: string, client = newClient()) {
  return request(app).post(`${BASE}/auth/register`).set('X-Forwarded-For', client).send({ email });
}

/** Verifies from a client of its own. */
export function verify({ app }: Fixture, body: object, client = newClient()) {
  return request(app).post(`${BASE}/auth/verify`).set('X-Forwarded-For', client).send(body);
}

export async function status({ app }: Fixture, id: string): Promise<string> {
  return (await request(app).get(`${BASE}/auth/status`).query({ request_id: id })).body.status;
}

/** The keys of an account, found by its id or its address; none if there is no account. */
export async function keysOf(
  { access }: Fixture,
  by: { readonly id: string } | { readonly email: string },
) {
  return (await access.history.findAccount(by))?.keys ?? [];
}

/** What would be mailed for a registration. */
export async function mailOf({ mail }: Fixture, id: string): Promise<PendingMail> {
  const pending = await mail.load(id);
  if (pending === undefined) throw new Error(`There is no mail for ${id}.`);
  return pending;
}

/** A new registration and what its mail says. */
export async function open(fixture: Fixture, email = newAddress()): Promise<PendingMail> {
  const answer = await register(fixture, email);
  return mailOf(fixture, answer.body.request_id);
}

/** Another code than the one given. */
export function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}
