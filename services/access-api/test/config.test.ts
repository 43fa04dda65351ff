import { expect, test } from '@jest/globals';
import { ConfigError } from '@vcds/service-kit';
import { readAdminConfig } from '../src/admin/admin-config.ts';
import { readAccessConfig, readWorkerConfig } from '../src/config.ts';

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
const SECRET = 'CODE_SECRET is not set (protects codes, links and addresses of registrations).';

test('access-api without settings names every missing one at once', () => {
  expect(faultsOf(() => readAccessConfig({}))).toEqual([
    REDIS,
    'SERVICE_TOKEN_SECRET is not set (signs calls between the services).',
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
