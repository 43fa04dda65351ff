import {
  type Clock,
  type Config,
  ConfigError,
  EDGE_VARIABLES,
  edgeSettings,
  type Given,
  HTTP_SCHEMES,
  type Logger,
  type RedisClient,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';
import { createOutboundClient, type TestAddress, testAddressOf } from '../outbound-http/index.ts';
import { ROBOT_TOKEN } from './robots.ts';
import { SiteReader } from './site-reader.ts';

const ROBOT_VERSION = '2.1';

/** The variables of processes that read sites (docs/spec/operations.md 16.4). */
export const SITE_VARIABLES = {
  ACCESS_API_PUBLIC_URL: urlVariable(HTTP_SCHEMES, 'public URL of access-api', {
    default: 'http://127.0.0.1:8081',
  }),
  REQUIRE_HTTPS: EDGE_VARIABLES.REQUIRE_HTTPS,
  TRUST_PROXY: EDGE_VARIABLES.TRUST_PROXY,
  OUTBOUND_TEST_ADDRESS: {
    type: 'string',
    accepts: (value: string) => testAddressOf(value) !== null,
    expected: 'an address of this machine with a port, such as 127.0.0.1:8099',
    description: 'only for tests: the server that every site is read from, instead of its own',
  },
} as const satisfies Variables;

/**
 * The value of OUTBOUND_TEST_ADDRESS.
 *
 * @throws ConfigError if HTTPS is required, as it is in production.
 */
export function siteTestAddress(config: Given<typeof SITE_VARIABLES>): TestAddress | undefined {
  const address = testAddressOf(config.OUTBOUND_TEST_ADDRESS ?? '');
  if (address === null) return undefined;
  if (!edgeSettings(config).requireHttps) return address;
  throw new ConfigError(['OUTBOUND_TEST_ADDRESS must not be set if HTTPS is required.']);
}

export interface SiteSettings {
  readonly config: Config<typeof SITE_VARIABLES>;
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
}

/** The reader of a process, which reads sites as VCDS-Bot. */
export function openSiteReader({ config, redis, logger, clock }: SiteSettings): SiteReader {
  const testAddress = siteTestAddress(config);
  if (testAddress !== undefined) {
    logger.warn(testAddress, 'test configuration: every site is read from this address');
  }
  const docsUrl = `${config.ACCESS_API_PUBLIC_URL.replace(/\/$/, '')}/docs`;
  const client = createOutboundClient({
    userAgent: `${ROBOT_TOKEN}/${ROBOT_VERSION} (+${docsUrl}/bot)`,
    testAddress,
  });
  return new SiteReader({ client, redis, clock });
}
