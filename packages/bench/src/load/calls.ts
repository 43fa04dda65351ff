import { setTimeout as delay } from 'node:timers/promises';
import { readMails } from '@vcds/test-kit/bench';
import pg from 'pg';

/** A deployment of the product that is called. */
export interface Target {
  readonly databases: { readonly primary: { readonly url: string } };
  /** The public addresses. */
  readonly dataUrl: string;
  readonly accessUrl: string;
  readonly mailFolder: string;
}

/** A call of the load. */
export interface Call {
  readonly kind: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly body?: string;
  /** The address of a registration. */
  readonly email?: string;
  /** The source of the connection. */
  readonly localAddress?: string;
  /** The status of a response that is no failure. */
  readonly expected: number;
  /** The client disconnects after so many milliseconds; then no response is no failure either. */
  readonly disconnectMs?: number;
  /** Receives the body and the `Link` header of a response with the expected status. */
  readonly onAnswer?: (body: string, link: string | undefined) => void;
}

/** The next call by its number. */
export type CallSource = (turn: number) => Call;

const IDS = 200;
const COUNTRIES = ['France', 'Germany', 'Spain'];
/** One call of so many is a registration, which costs a mail, and one exchanges a key for a token. */
const RARE_EVERY = 50;
const EXCHANGE_AT = 25;
/** The sources of registrations, since an address may register only so often. */
const CLIENT_ADDRESSES = 200;

/** The calls of the load by their number, spread over kinds and keys. */
export async function callSource(
  { dataUrl, accessUrl, databases }: Target,
  apiKeys: readonly string[],
): Promise<CallSource> {
  const ids = await startupIds(databases.primary.url);
  const filter = encodeURIComponent("Country eq 'France'");
  const paths: readonly (readonly [string, (turn: number) => string])[] = [
    ['record', (turn) => `${dataUrl}/v2/startups/${ids[turn % ids.length]}`],
    ['page', (turn) => `${dataUrl}/v2/startups?$top=${1 + (turn % 5)}&$orderby=Name`],
    ['filter', () => `${dataUrl}/v2/startups?$filter=${filter}&$top=3`],
    ['facets', (turn) => `${dataUrl}/v2/categories/facets?country=${COUNTRIES[turn % 3]}&top=3`],
    ['signals', () => `${dataUrl}/v2/signals?limit=4`],
    ['activity', () => `${dataUrl}/v2/activityfeed?$top=4`],
    ['count', () => `${dataUrl}/v2/startups?$filter=${filter}&$count=true`],
    ['search', (turn) => `${dataUrl}/v2/startups/search?q=${'abcdefgh'[turn % 8]}o`],
    ['token', (turn) => `${dataUrl}/v2/startups?$top=${1 + (turn % 3)}`],
    ['usage', () => `${accessUrl}/api/v1/usage`],
  ];
  let token: string | undefined;
  return (turn) => {
    const apiKey = keyOf(apiKeys, turn, paths.length);
    if (turn % RARE_EVERY === 0) return registration(accessUrl, turn);
    if (turn % RARE_EVERY === EXCHANGE_AT) {
      return exchange(accessUrl, apiKey, (body) => {
        token = (JSON.parse(body) as { readonly token: string }).token;
      });
    }
    const [kind, urlOf] = paths[turn % paths.length] ?? ['', () => ''];
    const credential = kind === 'token' ? (token ?? apiKey) : apiKey;
    return { kind, url: urlOf(turn), headers: { 'X-Api-Key': credential }, expected: 200 };
  };
}

/** Another key each turn, so that each calls every one of `kinds`. */
export function keyOf(apiKeys: readonly string[], turn: number, kinds: number): string {
  return apiKeys[(turn + Math.floor(turn / kinds)) % apiKeys.length] ?? '';
}

function registration(accessUrl: string, turn: number): Call {
  const email = `person@example-${turn}.com`;
  return {
    kind: 'register',
    url: `${accessUrl}/api/v1/auth/register`,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
    email,
    localAddress: `127.0.0.${2 + ((turn / RARE_EVERY) % CLIENT_ADDRESSES)}`,
    expected: 202,
  };
}

function exchange(accessUrl: string, apiKey: string, onAnswer: (body: string) => void): Call {
  const credentials = Buffer.from(`${apiKey}:`).toString('base64');
  return {
    kind: 'exchange',
    url: `${accessUrl}/v2/auth/token`,
    headers: { Authorization: `Basic ${credentials}` },
    body: '',
    expected: 200,
    onAnswer,
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
