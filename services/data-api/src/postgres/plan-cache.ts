import { createHash } from 'node:crypto';

/** The most statements with a name; the least recently used one is evicted. */
export const NAMED_MAX = 500;
const SEEN_MAX = 5_000;
/** A statement that took longer with a generic plan gets custom plans. */
const SLOW_MS = 25;
/** The time after which its generic plan is tried again: the machine may have been slow. */
const CUSTOM_PLAN_MS = 600_000;

/**
 * Decides by their texts which statements recur and get a name, and which were slow with a generic
 * plan. For some shapes, such as a rare city with an order, the generic plan suits the frequent
 * value and scans the whole table for a rare one; these get custom plans for their values.
 */
export class StatementShapes {
  readonly #nowMs: () => number;
  /** The time until which a name gets custom plans; the most recently used one is at the end. */
  readonly #named = new Map<string, number>();
  readonly #seen = new Set<string>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The name to prepare a text under; undefined if it gets a custom plan. */
  nameOf(text: string): string | undefined {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    const customUntilMs = this.#named.get(name);
    if (customUntilMs === undefined && !this.#seen.delete(name)) {
      if (this.#seen.size >= SEEN_MAX) this.#seen.clear();
      this.#seen.add(name);
      return undefined;
    }
    this.#named.delete(name);
    this.#named.set(name, customUntilMs ?? 0);
    const [oldest] = this.#named.keys();
    if (this.#named.size > NAMED_MAX && oldest !== undefined) this.#named.delete(oldest);
    return this.#nowMs() < (customUntilMs ?? 0) ? undefined : name;
  }

  /** Records how long a named statement took. */
  took(name: string, milliseconds: number): void {
    if (milliseconds <= SLOW_MS || !this.#named.has(name)) return;
    this.#named.set(name, this.#nowMs() + CUSTOM_PLAN_MS);
  }
}
