import { parseArgs } from 'node:util';
import { isPlanId, isScope, PLAN_IDS, type PlanId, SCOPES, type Scope } from '@vcds/credentials';
import { nearest } from '@vcds/service-kit';

/** A command line that cannot be followed; the message says what would. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What stands on a command line after the command. */
export interface CommandLine {
  /** The n-th operand. @throws UsageError when it is not there. */
  operand(index: number, name: string): string;
  /** The value of `--name`, if given. */
  option(name: string): string | undefined;
}

/** @throws UsageError for an option the command does not have, or more operands than it takes. */
export function readCommandLine(
  words: readonly string[],
  takes: { readonly operands: number; readonly options: readonly string[] },
): CommandLine {
  const { values, positionals } = parse(words, takes.options);
  if (positionals.length > takes.operands) {
    throw new UsageError(`'${positionals[takes.operands]}' is one word too many.`);
  }
  return {
    operand: (index, name) => {
      const word = positionals[index];
      if (word === undefined || word === '') throw new UsageError(`The ${name} is missing.`);
      return word;
    },
    option: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** @throws UsageError unless the word is a plan. */
export function readPlan(word: string): PlanId {
  if (isPlanId(word)) return word;
  throw new UsageError(`There is no plan '${word}'; plans are ${PLAN_IDS.join(', ')}.`);
}

/** @throws UsageError unless every comma separated word is a scope, and there is one. */
export function readScopes(words: string): readonly Scope[] {
  return words.split(',').map((word) => {
    const scope = word.trim();
    if (isScope(scope)) return scope;
    const meant = nearest(scope, SCOPES);
    const hint = meant === undefined ? `scopes are ${SCOPES.join(', ')}` : `did you mean ${meant}?`;
    throw new UsageError(`There is no scope '${scope}'; ${hint}.`);
  });
}

/** Whole days, 1 to 3,650, in seconds. @throws UsageError */
export function readDays(word: string): number {
  const days = Number(word);
  if (!Number.isInteger(days) || days < 1 || days > 3_650) {
    throw new UsageError('--expires-in-days takes a whole number from 1 to 3650.');
  }
  return days * 86_400;
}

function parse(words: readonly string[], options: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: Object.fromEntries(options.map((name) => [name, { type: 'string' as const }])),
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
