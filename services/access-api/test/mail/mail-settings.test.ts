import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig, systemClock } from '@vcds/service-kit';
import { MAIL_VARIABLES, openMailTransport } from '../../src/mail/mail-settings.ts';

const open = (environment: NodeJS.ProcessEnv) =>
  openMailTransport(readConfig(MAIL_VARIABLES, environment), systemClock);
const faults = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    open(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
};

describe('the settings of mail', () => {
  test('write files unless said otherwise', () => {
    expect(open({}).name).toBe('file');
    expect(open({ MAIL_TRANSPORT: 'file', MAIL_DIR: '/nowhere' }).name).toBe('file');
  });

  test('send through SendGrid if configured', () => {
    const environment = { MAIL_TRANSPORT: 'sendgrid', SENDGRID_API_KEY: 'SG.x' };
    expect(open({ ...environment, MAIL_FROM: 'keys@data.example' }).name).toBe('sendgrid');
    expect(open({ ...environment, MAIL_FROM: 'VC Data <a@data.example>' }).name).toBe('sendgrid');
  });

  test('name every variable that is missing or wrong, and no value', () => {
    expect(faults({ MAIL_TRANSPORT: 'sendgrid' })).toEqual([
      'SENDGRID_API_KEY is not set (MAIL_TRANSPORT=sendgrid needs it).',
      'MAIL_FROM is not set (MAIL_TRANSPORT=sendgrid needs it).',
    ]);
    expect(
      faults({ MAIL_TRANSPORT: 'pigeon', MAIL_FROM: 'no address', SENDGRID_BASE_URL: 'ftp://x' }),
    ).toEqual([
      'MAIL_TRANSPORT must be one of file, sendgrid.',
      'MAIL_FROM must be an address, or a name followed by an address in angle brackets.',
      'SENDGRID_BASE_URL must be a URL that begins http:// or https://.',
    ]);
  });
});
