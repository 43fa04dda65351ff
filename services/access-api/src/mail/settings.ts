import { join, resolve } from 'node:path';
import {
  type Clock,
  type Config,
  ConfigError,
  type Given,
  HTTP_SCHEMES,
  REDIS_SCHEMES,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';
import { createFileTransport } from './file-transport.ts';
import type { MailTransport } from './transport.ts';

/** The address of the mail queue, for the processes that add to it. */
export const MAIL_QUEUE_VARIABLES = {
  QUEUE_REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis for the mail queue, unless REDIS_URL is', {}),
} as const satisfies Variables;

/** How mail is sent. */
export const MAIL_VARIABLES = {
  MAIL_TRANSPORT: {
    type: 'string',
    enum: ['file', 'sendgrid'],
    default: 'file',
    description: 'how mail is sent',
  },
  MAIL_DIR: { type: 'string', description: 'where MAIL_TRANSPORT=file writes messages' },
  LOCAL_DIR: {
    type: 'string',
    default: '.local',
    description: 'folder of the state of the local stack',
  },
  MAIL_FROM: {
    type: 'string',
    pattern: '^([^<>"\\r\\n]+ <[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$',
    expected: 'an address, or a name followed by an address in angle brackets',
    description: 'sender of all mail',
  },
  SENDGRID_API_KEY: { type: 'string', description: 'key of the SendGrid account' },
  SENDGRID_BASE_URL: urlVariable(
    HTTP_SCHEMES,
    "base URL of another server with SendGrid's interface",
    {},
  ),
} as const satisfies Variables;

export type MailSettings = Config<typeof MAIL_VARIABLES>;

/** @throws ConfigError for MAIL_TRANSPORT=sendgrid without a variable that it needs. */
export function assertMailSettings(settings: Given<typeof MAIL_VARIABLES>): void {
  if (settings.MAIL_TRANSPORT !== 'sendgrid') return;
  const faults = (['SENDGRID_API_KEY', 'MAIL_FROM'] as const)
    .filter((name) => settings[name] === undefined)
    .map((name) => `${name} is not set (MAIL_TRANSPORT=sendgrid needs it).`);
  if (faults.length > 0) throw new ConfigError(faults);
}

/** @throws ConfigError as `assertMailSettings`. */
export async function openMailTransport(
  settings: MailSettings,
  clock: Clock,
): Promise<MailTransport> {
  assertMailSettings(settings);
  const { SENDGRID_API_KEY: apiKey, MAIL_FROM: from, SENDGRID_BASE_URL: baseUrl } = settings;
  if (settings.MAIL_TRANSPORT === 'file' || apiKey === undefined || from === undefined) {
    return createFileTransport({ folder: mailFolder(settings), clock });
  }
  // Takes memory in the processes that do not send, or not by it.
  const { createSendgridTransport } = await import('./sendgrid-transport.ts');
  return createSendgridTransport({ apiKey, from, baseUrl, clock });
}

function mailFolder({ MAIL_DIR, LOCAL_DIR }: MailSettings): string {
  return resolve(MAIL_DIR ?? join(LOCAL_DIR, 'mail'));
}
