// Tests docs/spec/operations.md 16.4.
import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig, systemClock } from '@vcds/service-kit';
import { readAdminConfig } from '../src/admin/admin-config.ts';
import { readAccessConfig, readWorkerConfig } from '../src/config.ts';
import { MAIL_VARIABLES, openMailTransport } from '../src/mail/settings.ts';

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}

const DATABASE = 'DATABASE_URL is not set, nor is ACCESS_DATABASE_URL (PostgreSQL).';
const REDIS = 'REDIS_URL is not set (Redis for keys and credits).';
const SECRET =
  'CODE_SECRET is not set (secret that protects codes, links and addresses of registrations).';

test('access-api without settings names every missing one at once', () => {
  expect(faultsOf(() => readAccessConfig({}))).toEqual([
    REDIS,
    'SERVICE_TOKEN_SECRET is not set (secret that signs calls between the services).',
    SECRET,
    DATABASE,
  ]);
});

test('what is wrong beside what is missing is named with it, one line each', () => {
  const environment = {
    ACCESS_API_PORT: 'x',
    DNS_SERVERS: 'resolver',
    DISPOSABLE_DOMAINS_FILE: '/nowhere/domains.txt',
    LEGACY_SIGNING_KEY: 'no key',
  };
  const names = faultsOf(() => readAccessConfig(environment)).map((line) => line.split(' ')[0]);
  expect(names).toEqual([
    'REDIS_URL',
    'ACCESS_API_PORT',
    'SERVICE_TOKEN_SECRET',
    'CODE_SECRET',
    'DATABASE_URL',
    'DNS_SERVERS',
    'DISPOSABLE_DOMAINS_FILE',
    'LEGACY_SIGNING_KEY',
  ]);
});

test('so do the worker and the operator commands', () => {
  expect(faultsOf(() => readWorkerConfig({ MAIL_TRANSPORT: 'sendgrid' }))).toEqual([
    REDIS,
    SECRET,
    DATABASE,
    'SENDGRID_API_KEY is not set (MAIL_TRANSPORT=sendgrid needs it).',
    'MAIL_FROM is not set (MAIL_TRANSPORT=sendgrid needs it).',
  ]);
  expect(faultsOf(() => readAdminConfig({}))).toEqual([REDIS, DATABASE]);
});

describe('the settings of mail', () => {
  const open = (environment: NodeJS.ProcessEnv) =>
    openMailTransport(readConfig(MAIL_VARIABLES, environment), systemClock);

  test('write files unless said otherwise', async () => {
    expect((await open({})).name).toBe('file');
    const named = { MAIL_TRANSPORT: 'file', MAIL_DIR: '/nowhere' };
    expect((await open(named)).name).toBe('file');
  });

  test('send through SendGrid if configured', async () => {
    const environment = { MAIL_TRANSPORT: 'sendgrid', SENDGRID_API_KEY: 'SG.x' };
    for (const MAIL_FROM of ['keys@data.example', 'VC Data <a@data.example>']) {
      expect((await open({ ...environment, MAIL_FROM })).name).toBe('sendgrid');
    }
  });

  test('name every variable that is wrong, and no value', () => {
    const wrong = {
      MAIL_TRANSPORT: 'pigeon',
      MAIL_FROM: 'no address',
      SENDGRID_BASE_URL: 'ftp://x',
    };
    expect(faultsOf(() => open(wrong))).toEqual([
      'MAIL_TRANSPORT must be one of file, sendgrid.',
      'MAIL_FROM must be an address, or a name followed by an address in angle brackets.',
      'SENDGRID_BASE_URL must be a URL that begins http:// or https://.',
    ]);
  });
});
