import type { Note } from '../errors/line-error.ts';
import type { TermKind } from '../records/kinds.ts';
import type { Respelling } from '../terms/canonicalize.ts';
import type { SideFile } from './side-file.ts';

/** A replaced spelling, as the file of repaired lines has it. */
interface Listed extends Omit<Note, 'kind'> {
  /** The first line that has it. */
  readonly line: number;
  readonly lines: number;
  readonly type: string;
}

/** When so many spellings are counted, they are written. */
const COUNTED_MAX = 10_000;

const FIELDS: Readonly<Record<TermKind, string>> = {
  tag: 'Tags',
  group: 'Groups',
  country: 'Country',
  region: 'Region',
  city: 'City',
};

/** Lists each replaced spelling of one file once, with the number of lines that have it. */
export class Respellings {
  readonly #file: SideFile;
  readonly #counted = new Map<string, Listed>();

  constructor(file: SideFile) {
    this.#file = file;
  }

  /** Counts a line whose spelling was replaced when it was read. */
  note(type: string, { field, done, was }: Note, line: number): void {
    const key = JSON.stringify([type, field, done, was]);
    const known = this.#counted.get(key);
    const listed = { line: known?.line ?? line, lines: (known?.lines ?? 0) + 1 };
    this.#counted.set(key, { ...listed, type, field, done, was });
    if (this.#counted.size >= COUNTED_MAX) this.list();
  }

  /** Lists the counted spellings. */
  list(): void {
    for (const listed of this.#counted.values()) this.#file.add(listed);
    this.#counted.clear();
  }

  /** Lists a spelling that was replaced by the label of its term. */
  add({ type, kind, from, to, line, lines }: Respelling): void {
    this.#file.add({ line, lines, type, field: FIELDS[kind], done: `written as ${to}`, was: from });
  }
}
