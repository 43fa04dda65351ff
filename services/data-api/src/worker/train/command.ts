/** The commands of `npm run matching`. */
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { type EvaluationReport, evaluate, MS_PER_DAY } from '@vcds/matching';
import { ConfigError } from '@vcds/service-kit';
import { readDay } from '@vcds/venture-model';
import { CommanderError } from 'commander';
import { listModels } from '../../models/model-store.ts';
import { withCommandPool } from '../command-pool.ts';
import { evaluateNextStages } from '../stages/evaluate-stages.ts';
import { dayText, evaluationText, modelsText, stagesText, trainedText } from './print.ts';
import { loadAtOnce, trainMatching } from './train.ts';

/** The environment of a command line, and its output. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Takes a result, without its line end. */
  readonly out: (text: string) => void;
  /** Takes an error or progress, without its line end. */
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

const NOTES = `
DATABASE_URL is PostgreSQL; default: that of a running npm start. DATA_WORKER_DATABASE_URL is the
same with a role that may write models. Exit status: 0 success, 1 error, 2 invalid arguments.`;

const NO_QUESTION =
  'there is nothing to measure. From the first day of the test part on, no fund with at least two ' +
  'earlier investments made a first investment in a company. Choose an earlier --split.';

/** Runs a command line. @returns the exit status: 0 success, 1 error, 2 invalid arguments. */
export async function runMatching(words: readonly string[], terminal: Terminal): Promise<number> {
  const { err } = terminal;
  try {
    await openProgram(terminal).parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (terminal.signal.aborted) err('Stopped. No model was stored.');
    else if (error instanceof ConfigError) for (const line of error.errors) err(line);
    else err(`The command failed: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

function openProgram(terminal: Terminal): Command {
  const { out, err, signal, nowMs } = terminal;
  const program = new Command('npm run matching --')
    .description('Train and measure the model of GET /venturematching.')
    .addHelpText('after', NOTES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out(text.trimEnd()),
      writeErr: (text) => err(text.trimEnd()),
    });
  const onStep = stepPrinter(err);
  const json = ['--json', 'print one line of JSON'] as const;
  program
    .command('train')
    .description('Train a model on all investments and store it. It serves within seconds.')
    .option('--no-back-test', 'do not measure the ranking on the newest tenth of the investments')
    .option(...json)
    .action(({ backTest: hasBackTest, json: isJson }) =>
      withCommandPool(terminal.environment, 'matching', async (pool) => {
        const trained = await trainMatching({ pool, nowMs: nowMs(), signal, onStep, hasBackTest });
        if (trained === undefined) throw new Error('no investment has a date to train on.');
        out(isJson ? JSON.stringify(trained) : trainedText(trained));
      }),
    );
  program
    .command('evaluate')
    .description(
      'Train on the records before a day; measure ranking and next stages on those after.',
    )
    .requiredOption('--split <day>', 'first day of the test part, YYYY-MM-DD', readDayNumber)
    .option('--until <day>', 'first day after the test part; default: no end', readDayNumber)
    .option('--seed <n>', 'selects the samples of the training', readSeed, 1)
    .option(...json)
    .action(({ split, until, seed, json: isJson }) =>
      withCommandPool(terminal.environment, 'matching', async (pool) => {
        const { data } = await loadAtOnce(pool, nowMs(), onStep);
        signal.throwIfAborted();
        onStep('measuring');
        const end = until === undefined ? {} : { until };
        const report: EvaluationReport = evaluate(data, { split, seed, ...end });
        if (report.questions.cold + report.questions.warm === 0) throw new Error(NO_QUESTION);
        onStep('measuring the next stages');
        const lastDay = until === undefined ? undefined : dayText(until);
        const nextStages = await evaluateNextStages(pool, dayText(split), lastDay);
        if (isJson) out(JSON.stringify({ ...report, nextStages }));
        else out(`${evaluationText(report)}\n\n${stagesText(nextStages)}`);
      }),
    );
  program
    .command('list')
    .description('List the stored models, the one that serves first.')
    .option(...json)
    .action(({ json: isJson }) =>
      withCommandPool(terminal.environment, 'matching', async (pool) => {
        const models = await listModels(pool);
        out(isJson ? JSON.stringify(models) : modelsText(models));
      }),
    );
  return program;
}

/** Prints each step once, and the progress in it at most twice a second. */
function stepPrinter(err: (text: string) => void): (step: string) => void {
  let shown = { step: '', atMs: 0 };
  return (text) => {
    const [step = ''] = text.split(/: \d/, 1);
    const atMs = performance.now();
    if (step === shown.step && atMs - shown.atMs < 500) return;
    shown = { step, atMs };
    err(text);
  };
}

function readDayNumber(text: string): number {
  const day = readDay(text);
  if (day === undefined) throw new InvalidArgumentError('It must be a day, as YYYY-MM-DD.');
  return Math.floor(Date.parse(day) / MS_PER_DAY);
}

function readSeed(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at most 9 digits.');
}
