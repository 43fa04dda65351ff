/** How far a replica is behind: positions of the write-ahead log (LSN) in bytes, and times. */

interface Sample {
  readonly lsn: bigint;
  /** The last time at which the primary was known to have written no more than this. */
  readonly atMs: number;
}

/**
 * Positions of the primary over time. A replica that has replayed a position shows everything that
 * was committed when the primary was there, so an idle primary has no lag, however old the last
 * transaction is.
 */
export class PrimaryPositions {
  readonly #windowMs: number;
  #samples: Sample[] = [];

  /** @param windowMs how long positions are kept; longer than the greatest lag of interest. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** The newest known position of the primary. */
  get latest(): bigint | undefined {
    return this.#samples.at(-1)?.lsn;
  }

  /** @param atMs when the position was requested. */
  record(lsn: bigint, atMs: number): void {
    const last = this.#samples.at(-1);
    // Another server has become the primary, without the end of the old one's log.
    if (last !== undefined && lsn < last.lsn) this.#samples = [];
    if (last?.lsn === lsn) this.#samples.pop();
    this.#samples.push({ lsn, atMs });
    const first = this.#samples.findIndex((sample) => sample.atMs >= atMs - this.#windowMs);
    this.#samples.splice(0, first);
  }

  /**
   * How many milliseconds ago the replayed position was the newest one, at most; 0 if it still is.
   * Undefined if it is older than every kept position.
   */
  lagMs(replayed: bigint, nowMs: number): number | undefined {
    const { latest } = this;
    if (latest !== undefined && replayed >= latest) return 0;
    const sample = this.#samples.findLast(({ lsn }) => lsn <= replayed);
    return sample && nowMs - sample.atMs;
  }
}

/** Good polls in a row after which a replica is used again. */
const GOOD_POLLS_MIN = 3;

/**
 * Decides whether a replica is used: it is left out at once when its lag exceeds the maximum or is
 * unknown, and returns after three polls in a row with at most half of the maximum.
 */
export class Admission {
  readonly #lagMsMax: number;
  #isUsed = false;
  #goodPolls = 0;

  constructor(lagMsMax: number) {
    this.#lagMsMax = lagMsMax;
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Records a poll that succeeded. */
  polled(lagMs: number | undefined): void {
    const isGood = lagMs !== undefined && lagMs <= this.#lagMsMax / 2;
    this.#goodPolls = isGood ? this.#goodPolls + 1 : 0;
    if (lagMs === undefined || lagMs > this.#lagMsMax) this.#isUsed = false;
    else if (this.#goodPolls >= GOOD_POLLS_MIN) this.#isUsed = true;
  }

  /** Leaves the replica out. */
  failed(): void {
    this.#isUsed = false;
    this.#goodPolls = 0;
  }
}
