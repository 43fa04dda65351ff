import { type FileHandle, open, rm } from 'node:fs/promises';
import { cutText } from '@vcds/service-kit/cut-text';
import { ImportError } from '../errors/import-error.ts';
import { jsonText } from '../errors/quote.ts';

/** Of the lines that cannot be written, the message about it has so many reasons, of this length. */
const REASONS_MAX = 5;
const REASON_LENGTH_MAX = 300;
const BUFFER_CHARACTERS = 65_536;

/** A file of JSON lines beside an imported one; created only if there is something to write. */
export class SideFile {
  readonly path: string;
  #handle: FileHandle | undefined;
  #waiting = '';
  #lines = 0;
  readonly #reasons: string[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  /** Deletes the file of an earlier import. */
  static async at(path: string): Promise<SideFile> {
    const file = new SideFile(path);
    await file.#attempt(() => rm(path, { force: true }));
    return file;
  }

  /** The path of the file; undefined while it is empty. */
  get written(): string | undefined {
    return this.#lines > 0 ? this.path : undefined;
  }

  /** Whether {@link write} is due before more is added. */
  get isDue(): boolean {
    return this.#waiting.length >= BUFFER_CHARACTERS;
  }

  /** @param reason the line in words, for the message of a file that cannot be written. */
  add(line: unknown, reason?: string): void {
    if (reason !== undefined && this.#reasons.length < REASONS_MAX) {
      this.#reasons.push(`  ${cutText(reason, REASON_LENGTH_MAX)}\n`);
    }
    this.#waiting += `${jsonText(line)}\n`;
    this.#lines += 1;
  }

  /** @throws ImportError if there is no space or no permission. */
  async write(): Promise<void> {
    if (this.#waiting === '') return;
    const text = this.#waiting;
    this.#waiting = '';
    await this.#attempt(async () => {
      this.#handle ??= await open(this.path, 'a');
      await this.#handle.appendFile(text);
    });
  }

  /** @throws ImportError as {@link write} does. */
  async close(): Promise<void> {
    await this.write();
    const handle = this.#handle;
    this.#handle = undefined;
    await this.#attempt(async () => handle?.close());
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const advice = 'choose a writable folder with free space (--rejected DIR)';
      const first =
        this.#reasons.length === 0 ? '' : `\nThe first lines are:\n${this.#reasons.join('')}`;
      throw new ImportError(
        'file',
        `Cannot write ${this.path}: ${reason}; ${advice}.${first.trimEnd()}`,
      );
    }
  }
}
