// Tests docs/spec/operations.md 16.4.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import {
  ConfigError,
  EDGE_VARIABLES,
  edgeSettings,
  POSTGRES_SCHEMES,
  portVariable,
  REDIS_SCHEMES,
  readConfig,
  urlVariable,
  type Variables,
} from '../src/index.ts';

const VARIABLES = {
  ...EDGE_VARIABLES,
  PORT: portVariable(8080, 'port'),
  DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL', { required: true }),
  REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis', {}),
  SECRET: { type: 'string', minLength: 32, description: 'a secret' },
} as const satisfies Variables;
const DATABASE_URL = 'postgresql://vcds@127.0.0.1/vcds';

function errors(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(VARIABLES, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
}

describe('readConfig', () => {
  test('returns typed values and defaults, and ignores other variables', () => {
    const config = readConfig(VARIABLES, {
      DATABASE_URL,
      PORT: '0',
      REQUIRE_HTTPS: 'true',
      X: 'y',
    });
    expect(config).toEqual({
      DATABASE_URL,
      FREE_WORK_PERCENT: 5,
      LOG_SAMPLE: 1,
      PORT: 0,
      REQUIRE_HTTPS: true,
      LOG_LEVEL: 'info',
      DRAIN_MS: 5_000,
    });
    const port: number = config.PORT;
    const redis: string | undefined = config.REDIS_URL;
    expect([port, redis]).toEqual([0, undefined]);
  });

  test('an empty variable counts as absent', () => {
    expect(readConfig(VARIABLES, { DATABASE_URL, PORT: '', REDIS_URL: ' ' })).toMatchObject({
      PORT: 8080,
    });
    expect(errors({ DATABASE_URL: '' })).toEqual(['DATABASE_URL is not set (PostgreSQL).']);
  });

  test('reports every error at once, one line each, without values', () => {
    const found = errors({
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      PORT: '80800',
      LOG_LEVEL: 'loud',
      REQUIRE_HTTPS: 'yes',
      SECRET: 'too-short',
      TRUST_PROXY: 'a;b',
    });
    expect(found).toHaveLength(6);
    expect(found.join('\n')).not.toMatch(/hunter2|too-short/);
    expect(found).toEqual(
      expect.arrayContaining([
        'DATABASE_URL must be a URL that begins postgresql:// or postgres://.',
        'REQUIRE_HTTPS must be true or false.',
        'SECRET must be at least 32 characters long.',
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
      ]),
    );
    for (const line of found) expect(line).toMatch(/^[A-Z_]+ .*\.$/);
  });

  test.each(['eighty', '1.5', '-1'])('PORT=%s is an error', (PORT) => {
    expect(errors({ DATABASE_URL, PORT })).toHaveLength(1);
  });

  test.each([
    ...['true', 'yes', '2.5', '-1', '100', '10.0.0.0/40', '0.0.0.0/0', '10.0.0.1,,10.0.0.2'],
    ...['10.0.0.1;10.0.0.2', 'proxy.internal', 'loopback, nearby'],
  ])('TRUST_PROXY=%s is an error that names the valid values', (TRUST_PROXY) => {
    expect(errors({ DATABASE_URL, TRUST_PROXY })).toEqual([
      'TRUST_PROXY must be false, the number of proxies in front of this service, or their ' +
        'addresses and subnets separated by commas.',
    ]);
  });

  test.each(['false', '0', '1', '2', '10.0.0.1', '10.0.0.0/8, fd00::/8', 'loopback,uniquelocal'])(
    'TRUST_PROXY=%s is valid',
    (TRUST_PROXY) => {
      expect(errors({ DATABASE_URL, TRUST_PROXY })).toEqual([]);
    },
  );

  test.each([
    'redis://h:6379',
    'rediss://user:pass@h:6379/1',
    'redis://a:1,redis://b:2',
    'redis+sentinel://a:26379,b:26379/main/0',
  ])('REDIS_URL=%s is valid', (REDIS_URL) => {
    expect(errors({ DATABASE_URL, REDIS_URL })).toEqual([]);
  });
});

describe('edgeSettings', () => {
  const settings = (environment: NodeJS.ProcessEnv) =>
    edgeSettings(readConfig(EDGE_VARIABLES, environment));

  test('HTTPS is required behind a trusted proxy, unless REQUIRE_HTTPS is false', () => {
    expect(settings({})).toEqual({ requireHttps: false, trustProxy: undefined, logSample: 1 });
    for (const TRUST_PROXY of ['false', '0']) {
      expect(settings({ TRUST_PROXY })).toEqual({ requireHttps: false, logSample: 1 });
    }
    expect(settings({ TRUST_PROXY: '1' })).toMatchObject({ requireHttps: true, trustProxy: '1' });
    expect(settings({ TRUST_PROXY: '1', REQUIRE_HTTPS: 'false' }).requireHttps).toBe(false);
    expect(settings({ REQUIRE_HTTPS: 'true' }).requireHttps).toBe(true);
  });
});

test('a service with an invalid environment prints the errors and exits with 1', () => {
  const script = `
    import { runService, readConfig, portVariable } from '@vcds/service-kit';
    const variables = { PORT: portVariable(1, 'port') };
    const start = async () => console.log('started');
    await runService({ name: 'svc', readConfig: (env) => readConfig(variables, env), start });`;
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script],
    { cwd: new URL('..', import.meta.url), env: { PATH: process.env.PATH, PORT: 'x' } },
  );
  expect(status).toBe(1);
  expect(stdout.toString()).toBe('');
  expect(stderr.toString()).toBe('svc: PORT must be a whole number.\n');
});
