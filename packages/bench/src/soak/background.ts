import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@vcds/test-kit/bench';
import { Agent, request } from 'undici';
import type { Background } from '../load/progress.ts';
import { type Deployment, runCommand } from './deployment.ts';

const REGISTRATION_EVERY_MS = 10_000;
const IMPORT_EVERY_MS = 20_000;
const UNAVAILABLE = 503;
const SOURCE = 'soak';
const STARTUPS = 100;
const CHANGED_STARTUPS = 40;
const CHANGED_ROUNDS = 10;
const COUNTRIES = ['France', 'Germany', 'Spain'];
const TAGS = ['Fintech', 'Health', 'Robotics', 'Energy'];

/** Changes of records by imports. */
export interface Imported {
  readonly imports: number;
  /** Changed startups and rounds, of which each is a signal. */
  readonly startups: number;
  readonly rounds: number;
}

/**
 * Imports changes of startups and rounds three times a minute, with the command of the product.
 * Resolves once the records exist.
 */
export async function importChanges(deployment: Deployment): Promise<Background<Imported>> {
  const file = join(deployment.mailFolder, 'changes.ndjson');
  const run = async (lines: readonly object[]): Promise<void> => {
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const environment = { IMPORT_DATABASE_URL: deployment.importerUrl };
    await runCommand('packages/importer/dist/cli.js', environment, [file, '--json']);
  };
  const numbers = Array.from({ length: STARTUPS }, (_, n) => n);
  await run(numbers.flatMap((n) => [startupLine(n, 0), roundLine(n, 0)]));
  const imports = repeat(IMPORT_EVERY_MS, (turn) => {
    const startups = numbers.slice(0, CHANGED_STARTUPS).map((n) => (n + turn) % STARTUPS);
    const rounds = numbers.slice(0, CHANGED_ROUNDS).map((n) => (n + turn) % STARTUPS);
    return run([
      ...startups.map((n) => startupLine(n, turn)),
      ...rounds.map((n) => roundLine(n, turn)),
    ]);
  });
  return {
    stop: async () => {
      const turns = await imports.stop();
      const [startups, rounds] = [turns * CHANGED_STARTUPS, turns * CHANGED_ROUNDS];
      return { imports: turns, startups, rounds };
    },
  };
}

function startupLine(n: number, turn: number): object {
  return {
    ...{ type: 'startup', source: SOURCE, key: `s${n}`, Name: `Soak ${n} Labs` },
    ...{ Description: `Changed ${turn} times`, Country: COUNTRIES[(n + turn) % COUNTRIES.length] },
    ...{ Founded: 2000 + (turn % 20), Tags: [TAGS[(n + turn) % TAGS.length]] },
  };
}

function roundLine(n: number, turn: number): object {
  return {
    ...{ type: 'round', source: SOURCE, key: `r${n}`, Startup: { key: `s${n}` } },
    ...{ Date: '2021-03-01', Series: 'Series A', Amount: 1_000_000 + turn },
  };
}

/**
 * Registers a person every ten seconds: a code by mail, a key, a call with it. `stop` resolves with
 * the number of keys.
 */
export function registerPeople(deployment: Deployment): Background<number> {
  return repeat(REGISTRATION_EVERY_MS, (turn) => registerOne(deployment, turn - 1));
}

/** From an address of its own, since a network may register 20 times an hour. */
async function registerOne(deployment: Deployment, number: number): Promise<void> {
  const { accessUrl, dataUrl, mailFolder } = deployment;
  const email = `soak-${number}@client.example`;
  const localAddress = `127.0.${1 + Math.floor(number / 200)}.${2 + (number % 200)}`;
  const dispatcher = new Agent({ localAddress });
  const send = async (url: string, body?: object, key?: string): Promise<Answer | false> => {
    const { statusCode, body: answer } = await request(url, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { 'X-Api-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (statusCode === UNAVAILABLE) return false;
    if (statusCode >= 300) throw new Error(`${url}: ${statusCode} ${text}`);
    return JSON.parse(text);
  };
  // A person tries again while the service is unavailable.
  const call = (...words: Parameters<typeof send>): Promise<Answer> =>
    eventually(() => send(...words), { intervalMs: 1_000 });
  try {
    const before = new Set(await readdir(mailFolder));
    const { request_id } = await call(`${accessUrl}/api/v1/auth/register`, { email });
    const code = await codeFor(email, mailFolder, before);
    const { api_key } = await call(`${accessUrl}/api/v1/auth/verify`, { request_id, code });
    await call(`${dataUrl}/v2/startups?$top=1`, undefined, api_key);
  } finally {
    await dispatcher.close();
  }
}

type Answer = Readonly<Partial<Record<'request_id' | 'api_key', string>>>;

/** @param seen the files of earlier messages, to which this adds those of others. */
function codeFor(email: string, folder: string, seen: Set<string>): Promise<string> {
  const probe = async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    for (const name of names.filter((name) => !seen.has(name))) {
      const { to, text } = JSON.parse(await readFile(join(folder, name), 'utf8'));
      if (to === email) return /\b\d{6}\b/.exec(text)?.[0] ?? false;
      seen.add(name);
    }
    return false as const;
  };
  return eventually(probe, { intervalMs: 200 });
}

/** Runs the turns 1, 2, … with a pause after each. `stop` resolves with the number of turns. */
function repeat(pauseMs: number, run: (turn: number) => Promise<void>): Background<number> {
  const stopping = new AbortController();
  const repeating = (async () => {
    for (let turn = 1; ; turn++) {
      await run(turn);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return turn;
    }
  })();
  repeating.catch(() => undefined);
  return {
    stop: () => {
      stopping.abort();
      return repeating;
    },
  };
}
