import { type Clock, ConfigError, nearest } from '@vcds/service-kit';
import { readAdminConfig } from '../config.ts';
import { JournalRefusal } from '../store/journal.ts';
import { readCommandLine, UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { formatResult } from './format-result.ts';
import { openAdministration } from './open.ts';

const NOTES = `ACCOUNT is an account's id or its e-mail address.
Results are text on a terminal, and one line of JSON with --json or when piped.
Exit status: 0 done, 1 refused or failed, 2 not understood.`;

/** Where a command line comes from and where its result goes. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** LOCAL_DIR when the variable is not set. */
  readonly localDir: string;
  readonly readInput: () => Promise<string>;
  /** Whether a person reads the results: text then, otherwise one line of JSON. */
  readonly isInteractive?: boolean;
  /** Results. */
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
  const rest = words.filter((word) => word !== '--json' && word !== '--help' && word !== '-h');
  const isJson = words.includes('--json') || terminal.isInteractive !== true;
  const wantsHelp = words[0] === 'help' || words.includes('--help') || words.includes('-h');
  if (rest.length === 0 || wantsHelp) {
    terminal.out(helpText(rest));
    return wantsHelp ? 0 : 2;
  }
  try {
    const result = await follow(rest, terminal);
    terminal.out(isJson ? JSON.stringify(result) : formatResult(result));
    return 0;
  } catch (error) {
    return report(error, terminal);
  }
}

async function follow(words: readonly string[], terminal: Terminal): Promise<object> {
  const { command, rest } = findCommand(words);
  const line = readCommandLine(rest, command);
  const config = readAdminConfig(terminal.environment);
  const administration = await openAdministration(config, terminal.clock);
  try {
    return await command.run(line, {
      administration,
      localDir: config.LOCAL_DIR ?? terminal.localDir,
      readInput: terminal.readInput,
      showProgress: terminal.err,
    });
  } finally {
    await administration.close();
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

// Of one command when it is named, otherwise of all.
function helpText(words: readonly string[]): string {
  const named = words.filter((word) => word !== 'help').slice(0, 2);
  const command = COMMANDS.get(named.join(' ')) ?? COMMANDS.get(named[0] ?? '');
  if (command !== undefined)
    return `Usage: npm run admin -- ${command.usage}\n\n${command.summary}`;
  const rows = [...new Set(COMMANDS.values())].map(
    ({ usage, summary }) => `  ${usage}\n      ${summary.replaceAll('\n', '\n      ')}`,
  );
  return ['Usage: npm run admin -- COMMAND [--json] [--help]', '', ...rows, '', NOTES].join('\n');
}
