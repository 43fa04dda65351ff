/** Without a successful read for this long, while several accounts read, the database stalls. */
const STALL_MS_MIN = 1_000;

/**
 * Measures the time in which no read succeeded although several accounts read. No account
 * has caused that time: if it counted, a stall would block all accounts after its end.
 */
export class StallMeter {
  #stalledMs = 0;
  /** Since when several accounts read and none has succeeded. */
  #sinceMs: number | undefined;

  /** A read succeeded, or the number of accounts that read has changed from or to one. */
  restart(areSeveral: boolean, nowMs: number): void {
    this.#stalledMs = this.totalMs(nowMs);
    this.#sinceMs = areSeveral ? nowMs : undefined;
  }

  /** The duration of all stalls so far. */
  totalMs(nowMs: number): number {
    const gapMs = nowMs - (this.#sinceMs ?? nowMs);
    return this.#stalledMs + (gapMs >= STALL_MS_MIN ? gapMs : 0);
  }
}
