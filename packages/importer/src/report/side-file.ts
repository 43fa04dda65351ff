import { type FileHandle, open, rm } from 'node:fs/promises';
import { ImportError } from '../errors/import-error.ts';
import { jsonText } from '../errors/quote.ts';

const BUFFER_CHARACTERS = 65_536;

/** A file of JSON lines beside an imported one; created only if there is something to write. */
export class SideFile {
  readonly path: string;
  #handle: FileHandle | undefined;
  #waiting = '';
  #lines = 0;

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

  add(line: unknown): void {
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
      throw new ImportError('file', `Cannot write ${this.path}: ${reason}; ${advice}.`);
    }
  }
}
