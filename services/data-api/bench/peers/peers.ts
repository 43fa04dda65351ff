import { type ChildProcess, execFileSync, fork, type StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '@vcds/test-kit/bench';
import type { LineRequest } from '../collections/lines.ts';
import { graphqlPath } from './graphql-path.ts';

/** A server of other programs on the same records. */
export interface Peer {
  /** Its folder, with a package.json of its own and `server.mjs`. */
  readonly folder: string;
  /** Commands of npm after the installation. */
  readonly prepare: readonly (readonly string[])[];
  /** The path of a request; empty if it cannot answer it. */
  readonly pathOf: (request: LineRequest) => string;
}

/** The peers by name. */
export const PEERS: Readonly<Record<string, Peer>> = {
  prisma: {
    folder: 'prisma',
    prepare: [['exec', '--', 'prisma', 'generate']],
    pathOf: ({ peer }) => peer,
  },
  postgraphile: {
    folder: 'postgraphile',
    prepare: [],
    pathOf: ({ peer }) => graphqlPath(peer),
  },
};

/** Generating a client needs no engine of schemas, which Prisma would download. */
const INSTALL_ENVIRONMENT = {
  ...process.env,
  CHECKPOINT_DISABLE: '1',
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
};

/**
 * Starts a peer in a process of its own. Its packages are installed once into a folder for temporary
 * files, since they are not part of the product.
 */
export async function startPeer(
  peer: Peer,
  connectionString: string,
  connections: number,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const folder = install(peer);
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
    DATABASE_URL: connectionString,
    CONNECTIONS: String(connections),
  };
  const child = fork(join(folder, 'server.mjs'), { cwd: folder, env });
  const [port] = await Promise.race([once(child, 'message'), failure(child)]);
  return { child, port };
}

function install({ folder, prepare }: Peer): string {
  const source = join(repositoryRoot, 'services/data-api/bench/peers', folder);
  const files = ['package.json', 'server.mjs', 'schema.prisma'].filter((name) =>
    existsSync(join(source, name)),
  );
  const digest = createHash('sha256');
  for (const name of files) digest.update(readFileSync(join(source, name)));
  const target = join(tmpdir(), `vcds-bench-${folder}-${digest.digest('hex').slice(0, 12)}`);
  if (existsSync(target)) return target;
  const building = `${target}.${process.pid}`;
  mkdirSync(building);
  for (const name of files) cpSync(join(source, name), join(building, name));
  try {
    for (const words of [['install', '--no-audit', '--no-fund'], ...prepare]) {
      const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
      execFileSync('npm', words, { cwd: building, stdio, env: INSTALL_ENVIRONMENT });
    }
    renameSync(building, target);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return target;
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`The peer ended with code ${code}.`);
}
