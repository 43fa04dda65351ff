import { createHash } from 'node:crypto';

/** Texts with a name at a time; one more takes the place of the one asked for longest ago. */
export const NAMED_MAX = 500;
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
  /** Until when each is distrusted, those asked for last at the end. */
  readonly #named = new Map<string, number>();
  readonly #seen = new Set<string>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The name to prepare a text under; undefined when it is to be planned with its values. */
  nameOf(text: string): string | undefined {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    const distrustedUntilMs = this.#named.get(name);
    if (distrustedUntilMs === undefined && !this.#seen.delete(name)) {
      if (this.#seen.size >= SEEN_MAX) this.#seen.clear();
      this.#seen.add(name);
      return undefined;
    }
    this.#named.delete(name);
    this.#named.set(name, distrustedUntilMs ?? 0);
    if (this.#named.size > NAMED_MAX) this.#forgetOldest();
    return this.#nowMs() < (distrustedUntilMs ?? 0) ? undefined : name;
  }

  /** Hears how long a named statement took. */
  took(name: string, milliseconds: number): void {
    if (milliseconds <= SLOW_MS || !this.#named.has(name)) return;
    this.#named.set(name, this.#nowMs() + DISTRUST_MS);
  }

  #forgetOldest(): void {
    for (const oldest of this.#named.keys()) {
      this.#named.delete(oldest);
      return;
    }
  }
}
