import {
  createDnsResolve,
  createOutboundClient,
  type TestAddress,
  testAddressOf,
} from '@vcds/outbound-http';
import {
  type Clock,
  ConfigError,
  type Logger,
  type RedisClient,
  type Variables,
} from '@vcds/service-kit';
import { ROBOT_TOKEN } from './robots.ts';
import { SiteReader } from './site-reader.ts';

const ROBOT_VERSION = '2.1';

/** The variables of processes that read sites (docs/spec/operations.md 16.4). */
export const SITE_VARIABLES = {
  OUTBOUND_TEST_ADDRESS: {
    type: 'string',
    accepts: (value: string) => testAddressOf(value) !== null,
    expected: 'an address of this machine with a port, such as 127.0.0.1:8099',
    description: 'only for tests: the server that every site is read from, instead of its own',
  },
} as const satisfies Variables;

export interface SiteSettings {
  readonly redis: RedisClient;
  readonly logger: Logger;
  /** The public URL of access-api, which has the page about the robot. */
  readonly accessUrl: string;
  readonly testAddress?: TestAddress | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * The value of OUTBOUND_TEST_ADDRESS.
 *
 * @throws ConfigError if HTTPS is required, as it is in production.
 */
export function siteTestAddress(
  text: string | undefined,
  requireHttps: boolean,
): TestAddress | undefined {
  const address = text === undefined ? null : testAddressOf(text);
  if (address === null) return undefined;
  if (!requireHttps) return address;
  throw new ConfigError(['OUTBOUND_TEST_ADDRESS must not be set where HTTPS is required.']);
}

/** The reader of a process, which reads sites as VCDS-Bot. */
export function openSiteReader(settings: SiteSettings): SiteReader {
  const { redis, logger, accessUrl, testAddress, clock } = settings;
  if (testAddress !== undefined) {
    logger.warn(testAddress, 'test configuration: every site is read from this address');
  }
  const client = createOutboundClient({
    userAgent: `${ROBOT_TOKEN}/${ROBOT_VERSION} (+${accessUrl.replace(/\/$/, '')}/docs/bot)`,
    resolve: createDnsResolve(),
    testAddress,
  });
  return new SiteReader({ client, redis, clock });
}
