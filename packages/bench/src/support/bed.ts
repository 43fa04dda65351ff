import { readFileSync } from 'node:fs';
import {
  killServices,
  openOperator,
  openTestServers,
  type ProgramName,
  spawnService,
  testRsaKey,
} from '@vcds/test-kit/bench';

const SECRET = 'the-service-secret-of-a-bench-run';
/** data-api is ready once its facet index is loaded. */
const READY_MS_MAX = 7_200_000;

/** A program of the product, and how long it took until it was ready. */
export interface StartedProcess {
  readonly name: ProgramName;
  readonly pid: number;
  readonly startMs: number;
  /** The roots of its listeners. */
  readonly publicUrl: string;
  readonly internalUrl: string;
  /** Its output until now. */
  readonly output: () => string;
}

/** The product on a database: access-api, the mail worker and a durable Redis, as in production. */
export type Bed = Awaited<ReturnType<typeof openBed>>;

/** @param databaseUrl of the superuser of a migrated database. */
export async function openBed(databaseUrl: string) {
  const servers = await openTestServers();
  const close = async (): Promise<void> => {
    killServices();
    await servers.close();
  };
  try {
    const environment: NodeJS.ProcessEnv = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: await servers.startRedisServer({ durable: true }),
      SERVICE_TOKEN_SECRET: SECRET,
      CODE_SECRET: SECRET,
      CURSOR_SECRET: SECRET,
      LEGACY_SIGNING_KEY: testRsaKey().pem,
      LOG_LEVEL: 'info',
    };
    const processes: StartedProcess[] = [];
    /** Starts a program, with further settings; it is ready when this resolves. */
    const start = async (
      name: ProgramName,
      settings: NodeJS.ProcessEnv = {},
    ): Promise<StartedProcess> => {
      const startedMs = performance.now();
      const service = spawnService(name, { ...environment, ...settings });
      const internalUrl = await service.ready(READY_MS_MAX);
      const started = {
        ...{ name, internalUrl, pid: service.child.pid ?? 0, output: service.output },
        startMs: performance.now() - startedMs,
        publicUrl: `http://127.0.0.1:${(await service.ports).public}`,
      };
      processes.push(started);
      return started;
    };
    const access = await start('access-api');
    environment.ACCESS_INTERNAL_URL = access.internalUrl;
    await start('worker');
    const { issue } = openOperator(environment);
    return {
      accessUrl: access.publicUrl,
      redisUrl: environment.REDIS_URL ?? '',
      /** The programs of the product that run. */
      processes: processes as readonly StartedProcess[],
      start,
      /** Starts data-api; `root` is that of its API, and facets are counted in memory. */
      startDataApi: async (settings: NodeJS.ProcessEnv = {}) => {
        const api = await start('data-api', settings);
        return { ...api, root: `${api.publicUrl}/v2` };
      },
      /** Keys of new accounts on a plan, one each. */
      issueKeys: async (plan: string, count: number): Promise<string[]> => {
        const specs = Array.from({ length: count }, () => ({ plan, keys: [{}] }));
        return (await issue(...specs)).flatMap(({ keys }) => keys.map(({ apiKey }) => apiKey));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The lines of a file; none if there is no file. */
export function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
