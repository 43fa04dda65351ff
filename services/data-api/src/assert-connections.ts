import { ConfigError } from '@vcds/service-kit';
import { type DataApiConfig, replicaUrlsOf } from './config.ts';
import { leadsToPooler } from './postgres/direct-connection.ts';

/**
 * Checks which connections lead to a pooler. A server that is unreachable is not checked.
 *
 * @throws ConfigError with a sentence for each variable that does not fit.
 */
export async function assertConnections(config: DataApiConfig): Promise<void> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = config;
  const checks = [
    {
      url: directUrl ?? url,
      sentence:
        `${directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'} leads to a connection ` +
        'pooler, but the facet index is copied in one session: set DATABASE_DIRECT_URL to PostgreSQL.',
    },
    ...(config.DATABASE_POOLER === 'none'
      ? [
          { url, variable: 'DATABASE_URL' },
          ...replicaUrlsOf(config).map((replica) => ({
            url: replica,
            variable: 'DATABASE_REPLICA_URL',
          })),
        ].map((each) => ({
          url: each.url,
          sentence: `${each.variable} leads to a connection pooler: set DATABASE_POOLER.`,
        }))
      : []),
  ];
  const found = await Promise.all(checks.map((check) => leadsToPooler(check.url)));
  const errors = checks.filter((_, index) => found[index]).map(({ sentence }) => sentence);
  if (errors.length > 0) throw new ConfigError([...new Set(errors)]);
}
