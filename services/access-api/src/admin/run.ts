import { Command } from '@commander-js/extra-typings';
import { type Clock, ConfigError } from '@vcds/service-kit';
import { CommanderError } from 'commander';
import { JournalError } from '../accounts/journal.ts';
import { addAccountCommands } from './account-commands.ts';
import { readAdminConfig } from './admin-config.ts';
import { UsageError } from './arguments.ts';
import type { Perform } from './command.ts';
import { addCreditCommands } from './credit-commands.ts';
import { formatResult } from './format-result.ts';
import { addKeyCommands } from './key-commands.ts';
import { openAdministration } from './open.ts';

const NOTES = `
Of companies: npm run admin -- resolve --help, npm run admin -- sources --help.
Exit status: 0 success, 1 error, 2 invalid arguments.`;

/** The environment of a command line, and its input and output. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** LOCAL_DIR when the variable is not set. */
  readonly localDir: string;
  readonly readInput: () => Promise<string>;
  /** Whether a person reads the results: text then, otherwise one line of JSON. */
  readonly isInteractive?: boolean;
  /** Takes a result, without its line end. */
  readonly out: (text: string) => void;
  /** Takes an error or progress, without its line end. */
  readonly err: (text: string) => void;
  readonly clock?: Clock;
}

/**
 * Runs one of the operator's commands. Resolves with the exit status: 0 success, 1 error,
 * 2 invalid arguments.
 */
export async function runAdmin(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await openProgram(terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, terminal);
  }
}

function openProgram(terminal: Terminal) {
  const program = new Command('npm run admin --')
    .description('Manage accounts, keys and credits.')
    .option('--json', 'print one line of JSON; the default when the output is not a terminal')
    .addHelpText('after', NOTES)
    .allowExcessArguments()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text) => terminal.err(sentenceOf(text)),
    })
    .hook('preAction', (_, command) => {
      const extra = command.args[command.registeredArguments.length];
      if (extra !== undefined) command.error(`Unexpected argument '${extra}'.`);
    });
  const run: Perform = async (task) => {
    const { environment, localDir, readInput, err, out, clock } = terminal;
    const config = readAdminConfig(environment);
    const administration = await openAdministration(config, clock);
    try {
      const result = await task({
        ...administration,
        localDir: config.LOCAL_DIR ?? localDir,
        readInput,
        showProgress: err,
      });
      const isJson = program.opts().json === true || terminal.isInteractive !== true;
      out(isJson ? JSON.stringify(result) : formatResult(result));
    } finally {
      await administration.close();
    }
  };
  const perform: Perform = async (task, { optional } = { optional: false }) => {
    try {
      await run(task);
    } catch (error) {
      if (!optional || error instanceof ConfigError) throw error;
      report(error, terminal);
    }
  };
  for (const add of [addAccountCommands, addKeyCommands, addCreditCommands]) add(program, perform);
  return program;
}

/** The exit status of an error; prints it unless Commander already has. */
function report(error: unknown, { err }: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError || error instanceof JournalError) err(error.message);
  else if (error instanceof ConfigError) for (const line of error.errors) err(line);
  else err(`The command failed: ${error instanceof Error ? error.message : String(error)}`);
  return error instanceof UsageError ? 2 : 1;
}

/** Commander's `error: unknown command 'x'\n(Did you mean y?)` as sentences. */
function sentenceOf(text: string): string {
  const [message = '', hint = ''] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n');
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
  return hint === '' ? sentence : `${sentence} ${hint.slice(1, -1)}`;
}
