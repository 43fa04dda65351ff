import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestDatabase,
  createTestRedis,
  createTestRedisServer,
  freePort,
  type TestDatabase,
  type TestRedisDatabase,
  type TestRedisServer,
} from './client.ts';
import { eventually } from './eventually.ts';
import { type Operator, openOperator } from './operator.ts';
import { type ProgramName, type ServiceProcess, spawnService } from './service-process.ts';

/** A message that the mail worker wrote into the mail folder. */
export interface WrittenMail {
  readonly createdAt: string;
  readonly to: string;
  readonly text: string;
  readonly html: string;
}

/** The programs of a product and their settings. */
export interface ProductOptions {
  /** Default: access-api and the mail worker. */
  readonly programs?: readonly ProgramName[];
  /** Variables beside those of the stores, secrets and ports. */
  readonly environment?: NodeJS.ProcessEnv;
  /** A migrated database, which is dropped with the product. Default: a new one. */
  readonly database?: TestDatabase;
}

/** The product as it is deployed: its programs as processes, on stores that are dropped with it. */
export interface Product<Redis = TestRedisDatabase> extends Operator {
  readonly database: TestDatabase;
  readonly redis: Redis;
  /** Variables for another process that is to belong to it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly processes: Readonly<Partial<Record<ProgramName, ServiceProcess>>>;
  /** The public listener of access-api. */
  readonly accessUrl: string;
  readonly accessInternalUrl: string;
  /** The public listener of data-api. */
  readonly dataUrl: string;
  /** Everything its processes have written. */
  readonly output: () => string;
  /** The newest message to an address; waits for it. */
  mailTo(address: string): Promise<WrittenMail>;
  close(): Promise<void>;
}

/** SERVICE_TOKEN_SECRET, CODE_SECRET and CURSOR_SECRET of a product. */
export const PRODUCT_SECRET = 'a-secret-of-enough-characters-for-all';

/** Starts the product on a numbered Redis database. Resolves once every process is ready. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  return start(await createTestRedis(), options);
}

/** The same on a Redis process with an append-only file, which the test may crash. */
export async function startDurableProduct(
  options: ProductOptions = {},
): Promise<Product<TestRedisServer>> {
  return start(await createTestRedisServer({ durable: true }), options);
}

async function start<Redis extends TestRedisDatabase>(
  redis: Redis,
  { programs = ['access-api', 'worker'], environment: more = {}, database: given }: ProductOptions,
): Promise<Product<Redis>> {
  const [database, mailFolder] = await Promise.all([
    given ?? createTestDatabase(),
    mkdtemp(join(tmpdir(), 'vcds-mail-')),
  ]);
  const [accessPort, internalPort, dataPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const [accessUrl, accessInternalUrl, dataUrl] = [accessPort, internalPort, dataPort].map(
    (port) => `http://127.0.0.1:${port}`,
  ) as [string, string, string];
  const environment = {
    DATABASE_URL: database.urlOf('vcds_data_api'),
    DATA_WORKER_DATABASE_URL: database.urlOf('vcds_data_worker'),
    ACCESS_DATABASE_URL: database.urlOf('vcds_access_api'),
    REDIS_URL: redis.url,
    SERVICE_TOKEN_SECRET: PRODUCT_SECRET,
    CODE_SECRET: PRODUCT_SECRET,
    CURSOR_SECRET: PRODUCT_SECRET,
    MX_CHECK: 'off',
    MAIL_TRANSPORT: 'file',
    MAIL_DIR: mailFolder,
    ACCESS_API_PUBLIC_URL: accessUrl,
    DATA_API_PUBLIC_URL: dataUrl,
    ACCESS_INTERNAL_URL: accessInternalUrl,
    ACCESS_API_PORT: String(accessPort),
    ACCESS_API_INTERNAL_PORT: String(internalPort),
    DATA_API_PORT: String(dataPort),
    ...more,
  };
  const processes = Object.fromEntries(
    programs.map((program) => [program, spawnService(program, environment)]),
  );
  const operator = openOperator(environment);
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(processes).map((each) => each.end()));
    await Promise.all([redis.drop(), database.drop(), rm(mailFolder, { recursive: true })]);
  };
  await Promise.all(Object.values(processes).map((each) => each.ready())).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    ...operator,
    ...{ database, redis, environment, processes, accessUrl, accessInternalUrl, dataUrl, close },
    output: () => [...Object.values(processes), operator].map((each) => each.output()).join(''),
    mailTo: (address) => eventually(() => newestMail(mailFolder, address)),
  };
}

async function newestMail(folder: string, address: string): Promise<WrittenMail | false> {
  const mails = (await readMails(folder)).filter(({ to }) => to === address);
  return mails.sort((a, b) => a.createdAt.localeCompare(b.createdAt)).at(-1) ?? false;
}

/** The messages in a mail folder; a file that is there is complete. */
export async function readMails(folder: string): Promise<WrittenMail[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  );
}
