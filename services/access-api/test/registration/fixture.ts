import { createLedgerSyncer } from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import { testRsaKey } from '@vcds/test-kit';
import request from 'supertest';
import { createAccessApp } from '../../src/app.ts';
import { createLedgerTable, openLedgerPool } from '../../src/credits/ledger-table.ts';
import type { AccessDeps } from '../../src/deps.ts';
import { createDisposableDomains } from '../../src/registration/disposable-domains.ts';
import { createMailSource, type PendingMail } from '../../src/registration/mail-source.ts';
import { type Access, type AccessOptions, openAccess } from '../access.ts';

export const ACCESS_URL = 'https://access.example.com';
export const DATA_URL = 'https://data.example.com';

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

export interface FixtureOptions extends AccessOptions {
  readonly blockedDomains?: readonly string[];
  /** Components in place of the real ones. */
  readonly replace?: (real: AccessDeps) => Partial<AccessDeps>;
}

/**
 * The public app of access-api on real stores, with a clock that stands still, until the end of the
 * test file.
 */
export async function openFixture(options: FixtureOptions = {}) {
  const access = await openAccess({
    redisUrl: options.redisUrl,
    environment: {
      ACCESS_API_PUBLIC_URL: ACCESS_URL,
      DATA_API_PUBLIC_URL: DATA_URL,
      TRUST_PROXY: '1',
      REQUIRE_HTTPS: 'false',
      LEGACY_SIGNING_KEY: testRsaKey().pem,
      ...options.environment,
    },
  });
  const { redis, secrets, clock, close } = access;
  if (options.redisUrl === undefined) await openBuckets(access);
  else await drain(access);
  const blocked = new Set(options.blockedDomains);
  const { publicApp } = createAccessApp({
    ...access,
    isDisposable: createDisposableDomains(blocked),
    ...options.replace?.(access),
  });
  return { access, app: publicApp, mail: createMailSource(redis, secrets, clock), close };
}

/** Opens the buckets of an empty ledger, as the first pass of the worker does. */
async function openBuckets({ redis }: Access): Promise<void> {
  const { stream } = createRedisLedger({ redis });
  const buckets = Array.from({ length: stream.buckets }, (_, bucket) => stream.open(bucket, 0));
  await Promise.all(buckets);
}

/**
 * Drains the ledger and opens its buckets, as the worker does once a second: until the first time
 * no balance is known.
 */
export async function drain({ redis, databaseUrl, logger }: Access): Promise<void> {
  const pool = openLedgerPool(databaseUrl, logger);
  const { stream } = createRedisLedger({ redis });
  const { failed } = await createLedgerSyncer(stream, createLedgerTable(pool)).pass();
  await pool.end();
  if (failed[0] !== undefined) throw failed[0].error;
}

let clients = 0;
/** A new client address. */
export function newClient(): string {
  clients += 1;
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
}

let people = 0;
/** A new mailbox. */
export function newAddress(): string {
  people += 1;
  return `person${people}@example${people}.com`;
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

/** The message of a registration. */
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

/** The input of verify that a message has. */
export function proofIn({ registrationId, code }: PendingMail) {
  return { request_id: registrationId, code };
}

/** Another code than the one given. */
export function wrong(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0');
}
