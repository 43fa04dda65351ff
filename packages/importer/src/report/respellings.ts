import type { Note } from '../errors/line-fault.ts';
import type { TermKind } from '../records/kinds.ts';
import type { Respelling } from '../terms/canonicalize.ts';
import type { SideFile } from './side-file.ts';

/** A spelling that gave way to another, as the file of repaired lines lists it. */
interface Listed {
  /** The first line that bears it. */
  readonly line: number;
  readonly lines: number;
  readonly type: string;
  readonly field: string;
  readonly done: string;
  readonly was: unknown;
}

/** So many are counted before they are written. */
const WAITING_MAX = 10_000;

/** Lists the spellings of one file that gave way to others: each once, with how many lines bear it. */
export class Respellings {
  readonly #file: SideFile;
  readonly #waiting = new Map<string, Listed>();

  constructor(file: SideFile) {
    this.#file = file;
  }

  /** Counts a line whose spelling was replaced as it was read. */
  note(type: string, { field, done, was }: Note, line: number): void {
    const key = JSON.stringify([type, field, done, was]);
    const known = this.#waiting.get(key);
    const listed = { line: known?.line ?? line, lines: (known?.lines ?? 0) + 1 };
    this.#waiting.set(key, { ...listed, type, field, done, was });
    if (this.#waiting.size >= WAITING_MAX) this.list();
  }

  /** Lists what was counted. */
  list(): void {
    for (const listed of this.#waiting.values()) this.#file.add(listed);
    this.#waiting.clear();
  }

  /** Lists a spelling that was replaced by that in use. */
  add({ type, kind, from, to, line, lines }: Respelling): void {
    const field = FIELDS[kind];
    this.#file.add({ line, lines, type, field, done: `written as ${to}`, was: from });
  }
}

const FIELDS: Readonly<Record<TermKind, string>> = {
  tag: 'Tags',
  group: 'Groups',
  country: 'Country',
  region: 'Region',
  city: 'City',
};
