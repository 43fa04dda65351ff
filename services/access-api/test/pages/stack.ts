import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, type Service } from '@vcds/service-kit';
import { createTestDatabase, createTestRedis, freePort } from '@vcds/test-kit';
import { readAccessConfig, readWorkerConfig } from '../../src/config.ts';
import { startAccessApi } from '../../src/start.ts';
import { startWorker } from '../../src/worker.ts';

const SECRET = 'a-secret-of-enough-characters-for-all';

/** access-api and its worker as npm start runs them, with mail in files. */
export interface Stack {
  readonly accessUrl: string;
  /** The environment variables of further processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Everything logged so far. */
  readonly log: () => string;
  /** The link of the newest message to an address; waits for it. */
  linkFor(email: string): Promise<string>;
  close(): Promise<void>;
}

export async function openStack(): Promise<Stack> {
  const [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()]);
  const mailFolder = await mkdtemp(join(tmpdir(), 'mail-'));
  const [port, internalPort] = [await freePort(), await freePort()];
  const accessUrl = `http://127.0.0.1:${port}`;
  const environment = {
    DATABASE_URL: database.urlOf('vcds_data_api'),
    ACCESS_DATABASE_URL: database.urlOf('vcds_access_api'),
    REDIS_URL: redis.url,
    SERVICE_TOKEN_SECRET: SECRET,
    CODE_SECRET: SECRET,
    MX_CHECK: 'off',
    MAIL_TRANSPORT: 'file',
    MAIL_DIR: mailFolder,
    SUPPORT_EMAIL: 'help@example.com',
    ACCESS_API_PUBLIC_URL: accessUrl,
    ACCESS_API_PORT: String(port),
    DRAIN_MS: '0',
    ACCESS_API_INTERNAL_PORT: String(internalPort),
    ACCESS_INTERNAL_URL: `http://127.0.0.1:${internalPort}`,
    WORKER_INTERNAL_PORT: '0',
  };
  const lines: string[] = [];
  const logger = createLogger({ service: 't', sink: { write: (line) => void lines.push(line) } });
  const services: Service[] = [
    await startAccessApi(readAccessConfig(environment), { logger }),
    await startWorker(readWorkerConfig(environment), { logger }),
  ];
  for (const { ports } of services) await untilReady(`http://127.0.0.1:${ports.internal}`);
  return {
    accessUrl,
    environment,
    log: () => lines.join(''),
    linkFor: async (email) => {
      for (;;) {
        const link = (await linksIn(mailFolder)).get(email);
        if (link !== undefined) return link;
        await delay(20);
      }
    },
    close: async () => {
      for (const service of services) await service.stop();
      await Promise.all([database.drop(), redis.drop()]);
      await rm(mailFolder, { recursive: true });
    },
  };
}

/** Resolves once `/ready` answers 200. */
export async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/ready`)).ok) await delay(20);
}

/** The newest link to each address. */
async function linksIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const messages = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
  messages.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  return new Map(
    messages.map(({ to, text }) => [to, /http\S+\/account\/sign-in\/\w+/.exec(text)?.[0] ?? '']),
  );
}
