import { createHash } from 'node:crypto';

/** Prepared statements a connection keeps; beyond, statements are sent unnamed. */
const NAMED_MAX = 500;
const SEEN_MAX = 5_000;
/** One plan for all values is given up for a shape that took longer than this. */
const SLOW_MS = 25;
/** How long it is given up for: the slowness may have been the machine's. */
const DISTRUST_MS = 600_000;

/**
 * What is known of the texts of statements: which recur and deserve a name, and which have been
 * slow with one plan for all values. Such a shape (a rare city and an order, say) is planned with
 * its values from then on; a plan that suits the frequent value walks the whole table for the rare.
 */
export class StatementShapes {
  readonly #nowMs: () => number;
  readonly #named = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #distrustedUntilMs = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The name to prepare a text under; undefined when it is to be planned with its values. */
  nameOf(text: string): string | undefined {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    if (this.#isDistrusted(name)) return undefined;
    if (this.#named.has(name)) return name;
    if (!this.#seen.delete(name)) {
      if (this.#seen.size >= SEEN_MAX) this.#seen.clear();
      this.#seen.add(name);
      return undefined;
    }
    if (this.#named.size >= NAMED_MAX) return undefined;
    this.#named.add(name);
    return name;
  }

  /** Hears how long a named statement took. */
  took(name: string, milliseconds: number): void {
    if (milliseconds > SLOW_MS) this.#distrustedUntilMs.set(name, this.#nowMs() + DISTRUST_MS);
  }

  #isDistrusted(name: string): boolean {
    const untilMs = this.#distrustedUntilMs.get(name);
    if (untilMs === undefined) return false;
    if (this.#nowMs() < untilMs) return true;
    this.#distrustedUntilMs.delete(name);
    return false;
  }
}
