import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from '@vcds/service-kit';
import { SITE_VARIABLES, siteTestAddress } from '../../src/reader/index.ts';

const read = (environment: NodeJS.ProcessEnv) =>
  readConfig(SITE_VARIABLES, environment, [siteTestAddress]);

describe('OUTBOUND_TEST_ADDRESS', () => {
  test.each([
    ['127.0.0.1:8099', { address: '127.0.0.1', port: 8099 }],
    ['127.0.0.2:1', { address: '127.0.0.2', port: 1 }],
    ['[::1]:65535', { address: '::1', port: 65_535 }],
  ])('may be %s', (text, address) => {
    expect(siteTestAddress(read({ OUTBOUND_TEST_ADDRESS: text }))).toEqual(address);
  });

  test.each([
    ...['127.0.0.1', '127.0.0.1:0', '127.0.0.1:65536', '127.0.0.300:80', '127.1:80'],
    ...['10.0.0.1:80', '0.0.0.0:80', '[::]:80', '::1:80', '[::ffff:127.0.0.1]:80'],
    ...['localhost:80', 'acme.example:80', 'http://127.0.0.1:80', '127.0.0.1:80/'],
  ])('must be of this machine, unlike %s', (text) => {
    expect(() => read({ OUTBOUND_TEST_ADDRESS: text })).toThrow(/^OUTBOUND_TEST_ADDRESS must be/);
  });

  test.each([{ REQUIRE_HTTPS: 'true' }, { TRUST_PROXY: '1' }])(
    'is an error at start with %j, where HTTPS is required',
    (environment) => {
      const start = () => read({ ...environment, OUTBOUND_TEST_ADDRESS: '127.0.0.1:8099' });
      expect(start).toThrow(ConfigError);
      expect(start).toThrow(/^OUTBOUND_TEST_ADDRESS must not be set if HTTPS is required\.$/);
      expect(read(environment).OUTBOUND_TEST_ADDRESS).toBeUndefined();
    },
  );

  test('is not set by default', () => {
    expect(siteTestAddress(read({}))).toBeUndefined();
  });
});
