/**
 * Whether the response time of register reveals a known address: at least 2,000 known and 2,000 new
 * ones in random order, each from its own client address, to access-api as a process; compared by a
 * Mann-Whitney U test (two-sided).
 *
 * Run with `npm run bench -- timing`; `--each=N` addresses of each kind (2000).
 */
import { randomInt, randomUUID } from 'node:crypto';
import { bucketOfAccount } from '@vcds/credentials';
import {
  benchOptions,
  killServices,
  openTestServers,
  quantile,
  say,
  spawnService,
  timed,
} from '@vcds/test-kit/bench';
import { openDatabase } from '../src/accounts/database.ts';

const SECRET = 'a-secret-of-enough-characters-for-a-bench';
const WARM_UP = 200;

const { each } = benchOptions({ each: 2_000 });
const servers = await openTestServers();
try {
  const databaseUrl = await servers.createDatabase({ migrated: true });
  const known = Array.from({ length: each }, (_, i) => `known@example-${i}.com`);
  await createAccounts(databaseUrl, known);
  const access = spawnService('access-api', {
    DATABASE_URL: databaseUrl,
    REDIS_URL: await servers.claimRedis(),
    SERVICE_TOKEN_SECRET: SECRET,
    CODE_SECRET: SECRET,
    TRUST_PROXY: '1',
    REQUIRE_HTTPS: 'false',
  });
  await access.ready();
  const url = `http://127.0.0.1:${(await access.ports).public}/api/v1/auth/register`;
  for (let i = 0; i < WARM_UP; i++) await register(url, `warm@example-w${i}.com`, i);
  report(...(await measure(url, known)));
} finally {
  killServices();
  await servers.close();
}

async function createAccounts(databaseUrl: string, addresses: readonly string[]): Promise<void> {
  const database = openDatabase(databaseUrl);
  for (const email of addresses) {
    const id = randomUUID();
    const account = { id, email, plan: 'free', bucket: bucketOfAccount(id), position: 0 };
    await database.account.create({ data: { ...account, createdAt: new Date() } });
  }
  await database.$disconnect();
}

/** Registers an address; milliseconds to the end of the answer. */
function register(url: string, email: string, client: number): Promise<number> {
  return timed(async () => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
      },
      body: JSON.stringify({ email }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 202) throw new Error(`Register answered ${answer.status}.`);
  });
}

async function measure(url: string, known: readonly string[]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  let client = WARM_UP;
  for (const [i, address] of known.entries()) {
    const fresh = `fresh@example-f${i}.com`;
    const order = randomInt(2) === 0 ? [0, 1] : [1, 0];
    for (const kind of order) {
      const ms = await register(url, kind === 0 ? address : fresh, client++);
      times[kind === 0 ? 0 : 1].push(ms);
    }
  }
  return times;
}

function report(known: number[], fresh: number[]): void {
  const line = (name: string, times: readonly number[]): string => {
    const shares = [50, 90, 99].map((n) => `p${n} ${quantile(times, n / 100).toFixed(3)} ms`);
    return [name, `n ${times.length}`, ...shares].join('  ');
  };
  const { z, p } = mannWhitney(known, fresh);
  say(`${line('known', known)}\n${line('new  ', fresh)}`);
  say(`Mann-Whitney U: z ${z.toFixed(2)}, p ${p.toFixed(3)} (two-sided)`);
}

/** The normal approximation, which holds from a few dozen on; ties do not occur in such times. */
function mannWhitney(a: readonly number[], b: readonly number[]): { z: number; p: number } {
  const ranked = [
    ...a.map((value) => ({ value, isFirst: true })),
    ...b.map((value) => ({ value, isFirst: false })),
  ].sort((left, right) => left.value - right.value);
  const rankSum = ranked.reduce((sum, { isFirst }, i) => (isFirst ? sum + i + 1 : sum), 0);
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  const z = (u - mean) / deviation;
  return { z, p: 2 * upperTail(Math.abs(z)) };
}

/** Of the standard normal distribution (Abramowitz & Stegun 26.2.17, error below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
