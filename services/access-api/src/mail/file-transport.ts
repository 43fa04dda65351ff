import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@vcds/service-kit';
import { errorCode } from '@vcds/service-kit/error-code';
import { DeliveryError, type MailTransport, type Message } from './transport.ts';

/** Other users of the machine must not read codes. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface FileTransportOptions {
  /** Created with the first message. */
  readonly folder: string;
  readonly clock: Clock;
  /** Prints a line on the console; default: standard output. */
  readonly say?: (line: string) => void;
}

/**
 * Writes each message atomically as a JSON file `{to, subject, text, html, headers, createdAt}`,
 * and prints its code on the console. For local use.
 */
export function createFileTransport(options: FileTransportOptions): MailTransport {
  const { folder, clock, say = sayOnStandardOutput } = options;
  return {
    name: 'file',
    send: async (message) => {
      const createdAt = new Date(clock.wallMs()).toISOString();
      const name = `${createdAt.replaceAll(/[:.]/g, '-')}-${randomBytes(6).toString('hex')}.json`;
      await write(folder, name, message, createdAt);
      say(`Mail to ${printable(message.to)}: code ${message.code} (${name})`);
    },
  };
}

async function write(
  folder: string,
  name: string,
  { to, subject, text, html, headers }: Message,
  createdAt: string,
): Promise<void> {
  const part = join(folder, `.${name}.part`);
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const file = await open(part, 'wx', FILE_MODE);
    try {
      const content = { to, subject, text, html, headers, createdAt };
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(part, join(folder, name));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw new DeliveryError(
      `The message could not be written (${errorCode(error) ?? 'unknown'}).`,
      {
        isFinal: false,
      },
    );
  }
}

// An address is untrusted text: it must not move the cursor or begin a line.
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\u00a1-\uffff]/g, '?');
}

function sayOnStandardOutput(line: string): void {
  process.stdout.write(`${line}\n`);
}
