import { parseEmailAddress } from '../registration/email-address.ts';
import type { AccountRecord, History } from '../store/history.ts';
import { JournalRefusal } from '../store/journal.ts';
import type { CommandLine, Takes } from './arguments.ts';
import type { Administration } from './open.ts';

/** What a command may reach beyond accounts and keys. */
export interface CommandContext {
  readonly administration: Administration;
  readonly localDir: string;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** Shows how far a long command has come. */
  readonly showProgress: (sentence: string) => void;
}

/** One command: a row of the operator's table. Its result is shown as text or as JSON. */
export interface Command extends Takes {
  readonly usage: string;
  readonly summary: string;
  readonly run: (line: CommandLine, context: CommandContext) => Promise<object>;
}

/** The account in the first operand, by id or address. @throws JournalRefusal when there is none. */
export async function findAccount(
  line: CommandLine,
  { history }: { readonly history: Pick<History, 'findAccount'> },
): Promise<AccountRecord> {
  const word = line.operand(0, 'account');
  const account = await history.findAccount(
    isUuid(word) ? { id: word.toLowerCase() } : { email: parseEmailAddress(word) ?? word },
  );
  if (account === null) throw new JournalRefusal(`There is no account '${word}'.`);
  return account;
}

export function isUuid(word: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word);
}
