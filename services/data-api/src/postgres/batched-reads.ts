import type { BatchedStatement, Statement } from './statement.ts';

/** The most ids of a statement. */
export const BATCH_IDS_MAX = 50;
/** A statement that runs longer does not delay further ones. */
const WAIT_MS_MAX = 20;

/** A row of a batched statement. */
interface Row {
  readonly id: string;
}

interface Call {
  readonly id: string;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The calls of one text. */
interface Batch {
  readonly statement: BatchedStatement;
  /** Statements under way. */
  running: number;
  /** The calls of the next one. */
  calls: Call[];
  timer?: NodeJS.Timeout;
}

/**
 * Reads of records by id with the same text share statements: the first call's statement begins after
 * the events of this iteration of the event loop, and the calls that arrive while it runs share the
 * next one, at most {@link BATCH_IDS_MAX} ids. So a statement serves more calls the more there are,
 * and none waits longer than {@link WAIT_MS_MAX} for a slow one. An id cannot make a statement fail;
 * an error of the server fails all calls of the statement.
 */
export class BatchedReads {
  readonly #read: (statement: Statement) => Promise<readonly object[]>;
  /** By text, while calls run. */
  readonly #batches = new Map<string, Batch>();

  constructor(read: (statement: Statement) => Promise<readonly object[]>) {
    this.#read = read;
  }

  /** The row of the statement's id, if there is one. */
  rows(statement: BatchedStatement): Promise<readonly object[]> {
    return new Promise((resolve, reject) => {
      this.#add(this.#batchOf(statement), { id: statement.id, resolve, reject });
    });
  }

  #batchOf(statement: BatchedStatement): Batch {
    const found = this.#batches.get(statement.text);
    if (found !== undefined) return found;
    const batch: Batch = { statement, running: 0, calls: [] };
    this.#batches.set(statement.text, batch);
    return batch;
  }

  #add(batch: Batch, call: Call): void {
    const waiting = batch.calls.push(call);
    if (waiting === BATCH_IDS_MAX) this.#send(batch);
    else if (waiting > 1) return;
    else if (batch.running === 0) setImmediate(() => this.#send(batch));
    else batch.timer = setTimeout(() => this.#send(batch), WAIT_MS_MAX);
  }

  #send(batch: Batch): void {
    const { calls, statement } = batch;
    clearTimeout(batch.timer);
    if (calls.length === 0) return;
    batch.calls = [];
    batch.running += 1;
    void this.#answer(calls, statement).then(() => {
      batch.running -= 1;
      if (batch.calls.length > 0) this.#send(batch);
      else if (batch.running === 0) this.#batches.delete(statement.text);
    });
  }

  async #answer(calls: readonly Call[], { text, plan }: BatchedStatement): Promise<void> {
    try {
      const ids = calls.length === 1 ? [calls[0]?.id] : [...new Set(calls.map(({ id }) => id))];
      const found = (await this.#read({ text, values: [ids], plan })) as readonly Row[];
      const rows = new Map(found.map((row) => [row.id, [row]]));
      for (const { id, resolve } of calls) resolve(rows.get(id) ?? []);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}
