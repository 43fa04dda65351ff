import { type ChildProcess, execFileSync, fork, type StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '@vcds/test-kit/bench';
import { graphqlPath, readGraphql } from './graphql.ts';
import { odataPath, readOdata } from './odata.ts';
import type { PeerAnswer, Question } from './question.ts';
import { readRest, restPath } from './rest.ts';

/** A server of other programs on the same records. */
export interface Peer {
  /** Its folder, with a package.json of its own and `server.mjs`. */
  readonly folder: string;
  /** As the report names it. */
  readonly title: string;
  /** Commands of npm after the installation. */
  readonly prepare: readonly (readonly string[])[];
  readonly pathOf: (question: Question) => string;
  /** Reads the body of an answer. */
  readonly read: (body: string) => PeerAnswer;
}

/** The peers by name. */
export const PEERS: Readonly<Record<string, Peer>> = {
  prisma: {
    folder: 'prisma',
    title: 'Prisma + Express',
    prepare: [['exec', '--', 'prisma', 'generate']],
    pathOf: restPath,
    read: readRest,
  },
  postgraphile: {
    folder: 'postgraphile',
    title: 'PostGraphile',
    prepare: [],
    pathOf: graphqlPath,
    read: readGraphql,
  },
  cap: {
    folder: 'cap',
    title: 'SAP CAP',
    prepare: [],
    pathOf: odataPath,
    read: readOdata,
  },
};

/** The packages of a peer with their versions. */
export function packagesOf({ folder }: Peer): string {
  const text = readFileSync(join(sourceOf(folder), 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

const sourceOf = (folder: string) => join(repositoryRoot, 'packages/bench/peers', folder);

const MESSAGES_LENGTH_MAX = 2_000;

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
  const child = fork(join(folder, 'server.mjs'), { cwd: folder, env, silent: true });
  const [port] = await Promise.race([once(child, 'message'), failure(child)]);
  return { child, port };
}

function install({ folder, prepare }: Peer): string {
  const source = sourceOf(folder);
  const files = readdirSync(source).sort();
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

/** Rejects when the peer ends, with the end of its messages. */
async function failure(child: ChildProcess): Promise<never> {
  let messages = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      messages = `${messages}${text}`.slice(-MESSAGES_LENGTH_MAX);
    });
  }
  const [code] = await once(child, 'exit');
  throw new Error(`The peer ended with code ${code}: ${messages}`);
}
