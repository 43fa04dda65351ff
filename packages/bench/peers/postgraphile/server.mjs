// Startups by PostGraphile on node:http: GET requests with variables, so that documents are parsed and
// planned once. Only tables: the functions of the schema are those of its triggers.
import { createServer } from 'node:http';
import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';

// Grafserv uses this function of Node 22.
Promise.withResolvers ??= () => {
  const pending = {};
  pending.promise = new Promise((resolve, reject) => Object.assign(pending, { resolve, reject }));
  return pending;
};

const { DATABASE_URL, CONNECTIONS } = process.env;
const preset = {
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset, PgAggregatesPreset],
  disablePlugins: ['PgProceduresPlugin', 'PgIndexBehaviorsPlugin'],
  pgServices: [
    makePgService({
      connectionString: DATABASE_URL,
      schemas: ['venture'],
      poolConfig: {
        max: Number(CONNECTIONS),
        idleTimeoutMillis: 0,
        options: '-c jit=off -c max_parallel_workers_per_gather=0',
      },
    }),
  ],
  schema: { pgOrderByNullsLast: true, connectionFilterRelations: false },
  grafserv: { graphqlOverGET: true, watch: false, graphiql: false },
  grafast: { explain: false },
};
const server = createServer();
const handler = postgraphile(preset).createServ(grafserv);
await handler.addTo(server);
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
