import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Charging,
  type Ledger,
  type LedgerEntry,
  periodOf,
  type Reservation,
  type Settlement,
} from '@vcds/metering';
import { sum } from './memory-store.ts';
import { requestOf } from './request.ts';

/** The parameters of a load. */
export interface LoadOptions {
  /** One ledger for each process that is played; clients take turns. */
  readonly ledgers: readonly Ledger[];
  readonly account: string;
  readonly keyIds: readonly string[];
  readonly limit: number;
  readonly clients: number;
  /** The most a call may hold. */
  readonly ceilingMax: number;
  /** Whether a client goes on after its `calls`th call and this answer. */
  readonly goesOn: (calls: number, last: Reservation | Charging) => boolean;
}

/** The responses that the clients received, with their times. */
export interface LoadReport {
  /** Operations with an acknowledged charge. */
  readonly acknowledged: ReadonlyMap<string, { charged: number; atMs: number }>;
  /** Operations that were begun, whatever became of them. */
  readonly begun: ReadonlySet<string>;
  readonly rejected: number;
  readonly unavailable: number;
}

/** A minute at least: longer than a Redis takes to restart, or a replica to take over. */
const TRIES_MAX = 6_000;
const RETRY_MS = 10;

/**
 * Plays clients of one account until each has had enough. A third of all requests are sent twice
 * at the same time, a third of the calls are charged without a hold, one call in twenty of the others is given up between reserving and settling, and a client
 * that gets no answer asks again with the same operation, as a retry would.
 */
export async function playLoad(options: LoadOptions): Promise<LoadReport> {
  const { ledgers, account, keyIds, limit, clients, ceilingMax, goesOn } = options;
  const acknowledged = new Map<string, { charged: number; atMs: number }>();
  const begun = new Set<string>();
  let rejected = 0;
  let unavailable = 0;

  const record = (op: string, answer: Reservation | Charging): void => {
    if (answer.status === 'unavailable') unavailable += 1;
    if (answer.status === 'exhausted') rejected += 1;
    if (answer.status !== 'settled') return;
    acknowledged.set(op, { charged: answer.charged, atMs: Date.now() });
  };
  const client = async (number: number): Promise<void> => {
    const ledger = pick(ledgers, number);
    const keyId = pick(keyIds, number);
    const random = numbersFrom(number + 1);
    for (let calls = 1; ; calls++) {
      const op = randomUUID();
      const max = 1 + (random() % ceilingMax);
      const request = requestOf(account, { op, keyId, max, limit });
      begun.add(op);
      const twice = random() % 3 === 0;
      if (random() % 3 === 0) {
        const actual = random() % (max + 1);
        const period = periodOf(Date.now());
        const charge = () => ledger.charge({ ...request, actual, period });
        const paid = await insistently(() => doubled(twice, charge));
        record(op, paid);
        if (!goesOn(calls, paid)) return;
        continue;
      }
      const held = await insistently(() => doubled(twice, () => ledger.reserve(request)));
      record(op, held);
      if (held.status === 'held' && random() % 20 !== 0) {
        const actual = random() % (held.amount + 1);
        const again = random() % 3 === 0;
        const settle = () => ledger.settle({ account, op }, actual);
        const done = await insistently(() => doubled(again, settle));
        record(op, done);
      }
      if (!goesOn(calls, held)) return;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { acknowledged, begun, rejected, unavailable };
}

/** The charges of the ledger, compared with those reported to the clients. */
export function audit(report: LoadReport, entries: readonly LedgerEntry[]) {
  const byOp = new Map(entries.map((entry) => [entry.op, entry.charged]));
  const reported = [...report.acknowledged].filter(([, { charged }]) => charged > 0);
  return {
    total: sum(entries.map(({ charged }) => charged)),
    doubled: entries.length - byOp.size,
    unknown: [...byOp.keys()].filter((op) => !report.begun.has(op)),
    differing: reported.filter(([op, { charged }]) => byOp.has(op) && byOp.get(op) !== charged),
    lost: reported.filter(([op]) => !byOp.has(op)).map(([op, { atMs }]) => ({ op, atMs })),
  };
}

async function doubled<T>(twice: boolean, send: () => Promise<T>): Promise<T> {
  const [first] = await Promise.all(twice ? [send(), send()] : [send()]);
  if (first === undefined) throw new Error('Nothing was sent.');
  return first;
}

async function insistently<T extends Reservation | Settlement | Charging>(
  ask: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    if (answer.status !== 'unavailable' || tries === TRIES_MAX) return answer;
    await delay(RETRY_MS);
  }
}

function pick<T>(from: readonly T[], number: number): T {
  const picked = from[number % from.length];
  if (picked === undefined) throw new Error('There is nothing to pick from.');
  return picked;
}

// Marsaglia's xorshift: the same numbers in every run.
function numbersFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
