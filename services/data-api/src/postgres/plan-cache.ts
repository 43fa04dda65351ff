import { createHash } from 'node:crypto';

/** The most statements with a name; the least recently used one is evicted. */
export const NAMED_MAX = 500;
const SEEN_MAX = 5_000;

/** Decides by their texts which statements recur and are prepared under a name. */
export class StatementNames {
  /** The most recently used name is at the end. */
  readonly #named = new Set<string>();
  readonly #seen = new Set<string>();

  /** The name to prepare a text under; undefined for a text that does not recur yet. */
  nameOf(text: string): string | undefined {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    if (!this.#named.delete(name) && !this.#seen.delete(name)) {
      if (this.#seen.size >= SEEN_MAX) this.#seen.clear();
      this.#seen.add(name);
      return undefined;
    }
    this.#named.add(name);
    const [oldest] = this.#named;
    if (this.#named.size > NAMED_MAX && oldest !== undefined) this.#named.delete(oldest);
    return name;
  }
}
