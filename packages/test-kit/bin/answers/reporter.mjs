// A Jest reporter: the run fails if a response of a service is not as docs/openapi describes it, or
// if the whole suite has not provoked every operation and every error code that is described.
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const RECORDER = fileURLToPath(new URL('recorder.cjs', import.meta.url));
const DESCRIPTIONS = new URL('../../../../docs/openapi/', import.meta.url);
const MEMORY = '/dev/shm';
const FAULTS_MAX = 50;

export default class AnswerReporter {
  #config;
  #folder;
  #error;

  constructor(config) {
    this.#config = config;
  }

  onRunStart() {
    this.#folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'vcds-answers-'));
    process.env.VCDS_ANSWERS = this.#folder;
    const options = process.env.NODE_OPTIONS ?? '';
    if (!options.includes(RECORDER)) {
      process.env.NODE_OPTIONS = `${options} --require "${RECORDER}"`.trim();
    }
    // With one worker, Jest runs the tests in this process.
    createRequire(import.meta.url)(RECORDER);
  }

  async onRunComplete(_, results) {
    try {
      const { openAnswerChecker } = await import('../../dist/answers/check.js');
      const checker = openAnswerChecker(
        ['data-api.json', 'access-api.json'].map((name) =>
          JSON.parse(readFileSync(new URL(name, DESCRIPTIONS), 'utf8')),
        ),
      );
      const faults = await faultsOf(checker, this.#folder);
      if (isWhole(this.#config, results)) {
        for (const key of checker.missing())
          faults.set(`never provoked: ${key}`, 'the whole suite');
      }
      if (faults.size > 0) this.#error = new Error(describe(faults));
    } catch (error) {
      this.#error = error;
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
    if (this.#error) process.stderr.write(`\n${this.#error.stack}\n`);
  }

  getLastError() {
    return this.#error;
  }
}

/** Each fault once, with a test file that shows it. */
async function faultsOf(checker, folder) {
  const faults = new Map();
  for (const name of readdirSync(folder)) {
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      const answer = JSON.parse(line);
      const fault = checker.check(answer);
      if (fault) faults.set(fault.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{id}'), answer.test);
    }
  }
  return faults;
}

/** Whether the run had all tests of the services. */
function isWhole({ nonFlagArgs, testNamePattern, shard }, { numTotalTestSuites, numFailedTests }) {
  return (
    nonFlagArgs.length === 0 &&
    !testNamePattern &&
    !shard &&
    numFailedTests === 0 &&
    numTotalTestSuites > 100
  );
}

function describe(faults) {
  const lines = [...faults].slice(0, FAULTS_MAX).map(([fault, test]) => `${fault} (${test})`);
  const more = faults.size > FAULTS_MAX ? [`and ${faults.size - FAULTS_MAX} more`] : [];
  return ['Responses differ from docs/openapi:', ...lines, ...more].join('\n  ');
}
