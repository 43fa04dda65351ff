/** The commands `npm run admin -- resolve …` and `npm run admin -- sources …`. */
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { ConfigError } from '@vcds/service-kit';
import { CommanderError } from 'commander';
import type pg from 'pg';
import { withCommandPool } from '../command-pool.ts';
import { DecisionError, rankSource, rule, split, why } from './decisions.ts';
import { companiesText, reviewText, whyText } from './print.ts';
import { resolveCompanies } from './resolve-companies.ts';
import { reviewList } from './review-list.ts';

export interface ResolveTerminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Whether a person reads the results: text then, otherwise one line of JSON. */
  readonly isInteractive?: boolean;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
}

const NOTES = `
Ids are those of records, or of statements (venture.startup_statement, venture.fund_statement). A decision holds for
later imports and runs until another one replaces it. Exit status: 0 success, 1 error, 2 invalid arguments.`;

const RANK_MAX = 1_000_000;
const REVIEW_MAX = 1_000;

/** Runs a command line. @returns the exit status: 0 success, 1 error, 2 invalid arguments. */
export async function runResolve(
  words: readonly string[],
  terminal: ResolveTerminal,
): Promise<number> {
  const { err } = terminal;
  try {
    await openProgram(terminal).parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof ConfigError) for (const line of error.errors) err(line);
    else if (error instanceof DecisionError) err(error.message);
    else err(`The command failed: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof DecisionError ? 2 : 1;
  }
}

function openProgram(terminal: ResolveTerminal) {
  const { out, err, signal } = terminal;
  const program = new Command('npm run admin --')
    .description('Decide which records of different sources are one company.')
    .option('--json', 'print one line of JSON; the default when the output is not a terminal')
    .addHelpText('after', NOTES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
    });
  const run = async <T>(work: (pool: pg.Pool) => Promise<T>, textOf: (result: T) => string) => {
    const result = await withCommandPool(terminal.environment, 'resolve', work);
    const isJson = program.opts().json === true || terminal.isInteractive !== true;
    out(isJson ? JSON.stringify(result) : textOf(result));
  };
  const resolve = program.command('resolve').description('One company or two');
  resolve
    .command('merge <id> <id2>')
    .description('make two companies one')
    .action((id, id2) => run((pool) => rule(pool, 'merge', [id, id2]), companiesText));
  resolve
    .command('apart <id> <id2>')
    .description('keep two companies, or two statements of one, apart')
    .action((id, id2) => run((pool) => rule(pool, 'apart', [id, id2]), companiesText));
  resolve
    .command('split <id>')
    .description('make each statement of a company a company of its own')
    .action((id) => run((pool) => split(pool, id), companiesText));
  resolve
    .command('review')
    .description('list the pairs that are too close to call; decide with merge or apart')
    .option('--limit <n>', 'at most this many', numberUpTo(REVIEW_MAX), 50)
    .action(({ limit }) => run((pool) => reviewList(pool, limit), reviewText));
  resolve
    .command('why <id> <id2>')
    .description('explain the decision on two statements')
    .action((id, id2) => run((pool) => why(pool, id, id2), whyText));
  resolve
    .command('run')
    .description('compare all statements now')
    .option('--changed', 'only those that changed, as the data worker does after imports')
    .action(({ changed = false }) =>
      run(
        (pool) => resolveCompanies(pool, signal, { isAll: !changed }),
        (counts) => JSON.stringify(counts),
      ),
    );
  const sources = program.command('sources').description('The order of sources');
  const ranked = ({ source, rank }: { source: string; rank: number | null }): string =>
    rank === null
      ? `${source} has no rank.`
      : `${source} has rank ${rank}; lower ranks come first.`;
  sources
    .command('rank')
    .description('prefer the values of sources with a lower number')
    .argument('<source>')
    .argument('<n>', 'the rank, or none', rankOf)
    .action((source, rank) => run((pool) => rankSource(pool, source, rank), ranked));
  return program;
}

const numberUpTo =
  (max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d{1,7}$/u.test(text) && value >= 1 && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
  };

const rankOf = (text: string): number | null =>
  text === 'none' ? null : numberUpTo(RANK_MAX)(text);
