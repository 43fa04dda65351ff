/** Sets of records in pages, so that no statement comes near the time limit of the indexer. */

const RECORDS_FIRST = 1_000;
const RECORDS_MAX = 20_000;
/** The aim for a statement: of two records, one may have a thousand times the relations of the other. */
const STATEMENT_MS = 2_000;
/** The width of an id in the text of a `uuid[]`, with the comma or the brace before it. */
const ID_WIDTH = 37;

/** The number of records of one statement, which follows the time that its statements take. */
export class PageSize {
  #records = RECORDS_FIRST;
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** From 1 to 20,000. */
  get records(): number {
    return this.#records;
  }

  /** Runs a statement of that many records. */
  async run<T>(statement: () => Promise<T>): Promise<T> {
    const startedMs = this.#now();
    const result = await statement();
    const share = STATEMENT_MS / Math.max(1, this.#now() - startedMs);
    if (share < 0.5 || share > 2) {
      const next = Math.floor(this.#records * Math.min(2, share));
      this.#records = Math.min(RECORDS_MAX, Math.max(1, next));
    }
    return result;
  }
}

/** Runs a statement for the ids of a set, the text of a `uuid[]`, page by page. */
export async function inPages(
  ids: string,
  run: (page: string) => Promise<void>,
  size = new PageSize(),
): Promise<void> {
  const end = ids.length - 1;
  for (let from = 0; from + 1 < end; ) {
    const to = Math.min(end, from + size.records * ID_WIDTH);
    const page = `{${ids.slice(from + 1, to)}}`;
    await size.run(() => run(page));
    from = to;
  }
}
