import { cpus, totalmem } from 'node:os';
import { type DataFolder, openTestServers, withClient } from '@vcds/test-kit/bench';
import { Redis } from 'ioredis';
import { type Peer, packagesOf } from '../peers/peers.ts';
import { grouped } from '../support/figures.ts';
import type { Environment } from './render.ts';

/** The options and servers of a report. */
interface Measured {
  readonly runs: number;
  readonly seconds: number;
  readonly peers: readonly Peer[];
  /** The server with the records, if a part needed it. */
  readonly data: DataFolder | undefined;
  /** Of the machine before the first part, in a minute. */
  readonly load: number;
}

/** Where the report was measured, now. */
export async function readEnvironment({
  runs,
  seconds,
  peers,
  data,
  load,
}: Measured): Promise<Environment> {
  const [processor] = cpus();
  const versions = [
    `Node ${process.version.slice(1)}`,
    ...(data === undefined ? [] : [`PostgreSQL ${data.version}`]),
    `Redis ${await redisVersion()}`,
    ...peers.map((peer) => `${peer.title} (${packagesOf(peer)})`),
  ];
  return {
    date: new Date().toISOString().slice(0, 10),
    machine:
      `${cpus().length} × ${processor?.model.trim()}, ` +
      `${(totalmem() / 2 ** 30).toFixed(1)} GB of memory, load ${load.toFixed(1)} before`,
    versions: versions.join(', '),
    command: ['npm run bench -- report', ...process.argv.slice(2).flatMap(shown)].join(' '),
    runs:
      (data === undefined ? '' : `${await countStartups(data.url)} startups. `) +
      `${runs} turns of ${seconds} s a line; the systems run one after another in each turn, and the order rotates.`,
  };
}

async function countStartups(url: string): Promise<string> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ count: string }>('SELECT count(*) FROM venture.startup'),
  );
  return grouped(Number(rows[0]?.count));
}

/** The page is the same wherever the data is, and whether it is written. */
function shown(argument: string): readonly string[] {
  if (argument === '--write') return [];
  return [argument.startsWith('--data=') ? '--data=DIR' : argument];
}

async function redisVersion(): Promise<string> {
  const servers = await openTestServers();
  const url = await servers.startRedisServer({ durable: false });
  const redis = new Redis(url);
  try {
    return /^redis_version:(.+)$/m.exec(await redis.info('server'))?.[1]?.trim() ?? '';
  } finally {
    redis.disconnect();
    await servers.close();
  }
}
