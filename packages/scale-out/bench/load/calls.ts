import { setTimeout as delay } from 'node:timers/promises';
import { readMails } from '@vcds/test-kit';
import pg from 'pg';
import type { Topology } from './topology.ts';

/** A call of the load. */
export interface Call {
  readonly kind: string;
  readonly url: string;
  readonly apiKey?: string;
  /** A registration: its address, and the source of the connection. */
  readonly email?: string;
  readonly localAddress?: string;
  /** The status of a response that is no failure. */
  readonly expected: number;
}

/** The next call of a kind. */
export type CallSource = (turn: number) => Call;

const IDS = 200;
const COUNTRIES = ['France', 'Germany', 'Spain'];
/** One call of so many is a registration, which costs a mail. */
const REGISTRATION_EVERY = 50;
/** The sources of registrations, since an address may register only so often. */
const CLIENT_ADDRESSES = 200;

/** The calls of the load by their number, spread over kinds and keys. */
export async function callSource(
  { dataUrl, accessUrl, database }: Topology,
  apiKeys: readonly string[],
): Promise<CallSource> {
  const ids = await startupIds(database.url);
  const filter = encodeURIComponent("Country eq 'France'");
  const paths: readonly (readonly [string, (turn: number) => string])[] = [
    ['record', (turn) => `${dataUrl}/v2/startups/${ids[turn % ids.length]}`],
    ['page', (turn) => `${dataUrl}/v2/startups?$top=${1 + (turn % 5)}&$orderby=Name`],
    ['filter', () => `${dataUrl}/v2/startups?$filter=${filter}&$top=3`],
    ['facets', (turn) => `${dataUrl}/v2/categories/facets?country=${COUNTRIES[turn % 3]}&top=3`],
    ['signals', () => `${dataUrl}/v2/signals?limit=4`],
    ['search', (turn) => `${dataUrl}/v2/startups/search?q=${'abcdefgh'[turn % 8]}o`],
    ['usage', () => `${accessUrl}/api/v1/usage`],
  ];
  return (turn) => {
    if (turn % REGISTRATION_EVERY === 0) return registration(accessUrl, turn);
    const [kind, urlOf] = paths[turn % paths.length] ?? ['', () => ''];
    const apiKey = apiKeys[Math.floor(turn / paths.length) % apiKeys.length] ?? '';
    return { kind, url: urlOf(turn), apiKey, expected: 200 };
  };
}

function registration(accessUrl: string, turn: number): Call {
  return {
    kind: 'register',
    url: `${accessUrl}/api/v1/auth/register`,
    email: `person-${turn}@example.com`,
    localAddress: `127.0.0.${2 + ((turn / REGISTRATION_EVERY) % CLIENT_ADDRESSES)}`,
    expected: 202,
  };
}

async function startupIds(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const text = 'SELECT id FROM venture.startup WHERE deleted_at IS NULL ORDER BY id LIMIT $1';
    return (await client.query<{ id: string }>(text, [IDS])).rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

/** How many of these addresses have a message, once all have one or after `timeoutMs`. */
export async function mailedOf(
  folder: string,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<readonly string[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const mailed = new Set((await readMails(folder)).map(({ to }) => to));
    const found = addresses.filter((address) => mailed.has(address));
    if (found.length === addresses.length || performance.now() > deadline) return found;
    await delay(500);
  }
}
