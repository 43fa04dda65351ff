/**
 * The least that a server of the same answers does: node:http, pg and the product's own statements
 * under a name. No key, no metering, no query language: the statements are looked up by the path.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { CapturedStatements } from './capture.ts';

/** The settings of the process. */
export interface FloorSetup {
  readonly connectionString: string;
  readonly connections: number;
  readonly statements: CapturedStatements;
  /** Paths whose statements are cheaper with a plan for their values. */
  readonly customPlans: readonly string[];
}

interface Row {
  readonly body?: string;
}

process.once('message', async (setup: FloorSetup) => {
  const { connectionString, connections, statements } = setup;
  const poolOf = (planning: string) =>
    new pg.Pool({
      connectionString,
      max: connections,
      idleTimeoutMillis: 0,
      options: `-c plan_cache_mode=${planning} ${FLOOR_OPTIONS}`,
    });
  const [generic, custom] = [poolOf('force_generic_plan'), poolOf('force_custom_plan')];
  const customPlans = new Set(setup.customPlans);
  const routes = new Map(
    Object.entries(statements).map(([path, sent]) => {
      const pool = customPlans.has(path) ? custom : generic;
      const queries = sent.map(({ text, values }) => {
        const name = createHash('md5').update(text).digest('hex');
        return { name, text, values: [...values] };
      });
      return [path, { pool, queries }] as const;
    }),
  );
  const server = createServer(async ({ url = '' }, response) => {
    const { pool, queries } = routes.get(url) ?? { pool: generic, queries: [] };
    let rows: Row[] = [];
    for (const query of queries) rows = (await pool.query<Row>(query)).rows;
    const body = Buffer.from(rows[0]?.body ?? JSON.stringify(rows));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});

/** As the product sets its connections. */
const FLOOR_OPTIONS =
  '-c jit=off -c timezone=UTC -c search_path=venture,public -c max_parallel_workers_per_gather=0';
