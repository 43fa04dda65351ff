import { createHash } from 'node:crypto';

/** The most statements with a name; the least recently used one is evicted. */
export const NAMED_MAX = 500;
const SEEN_MAX = 5_000;
/** A longer text is never prepared under a name: all texts together have at most 16 million characters. */
const NAMED_CHARACTERS_MAX = 32_000;

/** A statement to prepare. */
export interface NamedText {
  readonly name: string;
  /** The same string for every execution: each connection keeps the texts that it has prepared. */
  readonly text: string;
}

/** Decides by their texts which statements recur and are prepared under a name. */
export class StatementNames {
  /** By text, because a digest of each execution's text costs more. The last used one is at the end. */
  readonly #named = new Map<string, NamedText>();
  /** Digests, which are shorter than texts. */
  readonly #seen = new Set<string>();

  /** The name to prepare a text under; undefined for one that does not recur yet, or is too long. */
  nameOf(text: string): NamedText | undefined {
    if (text.length > NAMED_CHARACTERS_MAX) return undefined;
    const known = this.#named.get(text);
    if (known !== undefined) {
      this.#named.delete(text);
      this.#named.set(text, known);
      return known;
    }
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    if (!this.#seen.delete(name)) {
      if (this.#seen.size >= SEEN_MAX) this.#seen.clear();
      this.#seen.add(name);
      return undefined;
    }
    const named = { name, text };
    this.#named.set(text, named);
    const [oldest] = this.#named.keys();
    if (this.#named.size > NAMED_MAX && oldest !== undefined) this.#named.delete(oldest);
    return named;
  }
}
