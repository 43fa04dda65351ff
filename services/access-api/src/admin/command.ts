import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { AccountRecord, History } from '../accounts/history.ts';
import { JournalError } from '../accounts/journal.ts';
import { parseEmailAddress } from '../registration/email-address.ts';
import { isUuid } from './arguments.ts';
import type { Administration } from './open.ts';

/** Accounts, keys and credits, and the input and output of a command. */
export interface CommandContext extends Administration {
  readonly localDir: string;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  /** Shows the progress of a long command. */
  readonly showProgress: (sentence: string) => void;
}

/**
 * Opens the stores, runs a command on them, and prints its result. An error of an optional command is
 * printed and does not fail the program.
 */
export type Perform = (
  task: (context: CommandContext) => Promise<object>,
  options?: { readonly optional: boolean },
) => Promise<void>;

/** Adds commands to the program. */
export type AddCommands = (program: CommandUnknownOpts, perform: Perform) => void;

/** The account with this id or address. @throws JournalError if there is none. */
export async function findAccount(
  text: string,
  { history }: { readonly history: Pick<History, 'findAccount'> },
): Promise<AccountRecord> {
  const account = await history.findAccount(
    isUuid(text) ? { id: text.toLowerCase() } : { email: parseEmailAddress(text) ?? text },
  );
  if (account === null) throw new JournalError(`Account '${text}' does not exist.`);
  return account;
}
