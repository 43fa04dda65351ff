import {
  ConfigError,
  type Given,
  HTTP_SCHEMES,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';

/** The copy of the facet index in ClickHouse: data-api reads it, the data worker writes it. */
export const CLICKHOUSE_VARIABLES = {
  CLICKHOUSE_URL: urlVariable(HTTP_SCHEMES, 'ClickHouse, with the database as its path', {}),
  CLICKHOUSE_CLUSTER: {
    type: 'string',
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    expected: "the name of a cluster in ClickHouse's configuration",
    description: 'the cluster of ClickHouse over whose shards the records are divided',
  },
} as const satisfies Variables;

type Settings = Given<typeof CLICKHOUSE_VARIABLES>;

/** @throws ConfigError for a cluster without an address, or an address without a database. */
export function assertClickHouse({ CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: cluster }: Settings) {
  if (cluster !== undefined && url === undefined) {
    throw new ConfigError(['CLICKHOUSE_CLUSTER is set, but CLICKHOUSE_URL is not: set both.']);
  }
  if (url !== undefined && !/^https?:\/\/[^/?#]+\/\w{1,100}$/.test(url)) {
    throw new ConfigError([
      'CLICKHOUSE_URL must have one word as its path, the database, such as http://clickhouse:8123/vcds.',
    ]);
  }
}

/** Where the copy is; undefined without one. */
export function clickHousePlace({ CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: cluster }: Settings) {
  if (url === undefined) return undefined;
  const address = new URL(url);
  const database = address.pathname.slice(1);
  address.pathname = '/';
  return { url: address.href, database, cluster };
}
