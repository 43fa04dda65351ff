import { type Clock, ConfigError, nearest } from '@vcds/service-kit';
import { readAdminConfig } from '../config.ts';
import { JournalRefusal } from '../journal/journal.ts';
import { readCommandLine, UsageError } from './arguments.ts';
import { COMMANDS, type Command } from './commands.ts';
import { openAdministration } from './open.ts';

/** Where a command line comes from and where its result goes. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** LOCAL_DIR when the variable is not set. */
  readonly localDir: string;
  readonly readInput: () => Promise<string>;
  /** Results, one line of JSON. */
  readonly out: (line: string) => void;
  /** Faults and progress. */
  readonly err: (line: string) => void;
  readonly clock?: Clock;
}

/**
 * Follows one command line of the operator. Resolves with the exit status: 0 done, 1 refused or
 * failed, 2 not understood.
 */
export async function runAdmin(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words.length === 0 || words[0] === 'help' || words[0] === '--help') {
    terminal.out(helpText());
    return words.length === 0 ? 2 : 0;
  }
  try {
    const { command, rest } = findCommand(words);
    const line = readCommandLine(rest, command);
    const config = readAdminConfig(terminal.environment);
    const administration = await openAdministration(config, terminal.clock);
    try {
      const result = await command.run(line, {
        administration,
        localDir: config.LOCAL_DIR ?? terminal.localDir,
        readInput: terminal.readInput,
        showProgress: terminal.err,
      });
      terminal.out(JSON.stringify(result));
      return 0;
    } finally {
      await administration.close();
    }
  } catch (error) {
    return report(error, terminal);
  }
}

function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } {
  for (const length of [2, 1]) {
    const command = COMMANDS.get(words.slice(0, length).join(' '));
    if (command !== undefined) return { command, rest: words.slice(length) };
  }
  const meant =
    nearest(words.slice(0, 2).join(' '), COMMANDS.keys()) ??
    nearest(words[0] ?? '', COMMANDS.keys());
  const hint = meant === undefined ? 'see help' : `did you mean ${meant}?`;
  throw new UsageError(`There is no command '${words.slice(0, 2).join(' ')}'; ${hint}.`);
}

function report(error: unknown, { err }: Terminal): number {
  if (error instanceof UsageError) {
    err(error.message);
    return 2;
  }
  if (error instanceof ConfigError) for (const fault of error.faults) err(fault);
  else if (error instanceof JournalRefusal) err(error.message);
  else err(`The command failed: ${error instanceof Error ? error.message : String(error)}`);
  return 1;
}

function helpText(): string {
  const rows = [...new Set(COMMANDS.values())].map(
    ({ usage, summary }) => `  ${usage}\n      ${summary}`,
  );
  return ['Usage: pnpm admin COMMAND', '', ...rows].join('\n');
}
