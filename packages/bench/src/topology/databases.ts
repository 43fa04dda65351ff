import {
  startPgBouncer,
  startPrimary,
  startStandby,
  type TestServer,
  type TestStandby,
} from '@vcds/test-kit/bench';

/** PostgreSQL: a primary, its streaming replica, and a PgBouncer in front of each. */
export interface Databases {
  readonly primary: TestServer;
  readonly replica: TestStandby;
  readonly pooler: TestServer;
  readonly replicaPooler: TestServer;
  /** Variables of the processes: the primary through PgBouncer, the replica directly. */
  readonly variables: NodeJS.ProcessEnv;
  /** In addition, if the replica is behind PgBouncer too. */
  readonly pooledReplica: NodeJS.ProcessEnv;
  drop(): Promise<void>;
}

export async function startDatabases(): Promise<Databases> {
  const primary = await startPrimary();
  const replica = await startStandby(primary);
  const pooler = await startPgBouncer(primary);
  const replicaPooler = await startPgBouncer(replica);
  return {
    ...{ primary, replica, pooler, replicaPooler },
    variables: {
      DATABASE_URL: pooler.urlOf('vcds_data_api'),
      DATABASE_POOLER: 'transaction',
      DATABASE_DIRECT_URL: primary.urlOf('vcds_data_api'),
      DATABASE_REPLICA_URL: replica.urlOf('vcds_data_api'),
      DATA_WORKER_DATABASE_URL: primary.urlOf('vcds_data_worker'),
      ACCESS_DATABASE_URL: primary.urlOf('vcds_access_api'),
    },
    pooledReplica: { DATABASE_REPLICA_URL: replicaPooler.urlOf('vcds_data_api') },
    drop: async () => {
      for (const server of [replicaPooler, pooler, replica, primary]) await server.drop();
    },
  };
}
