import type { ManagedProcess } from '../processes/managed-process.ts';
import { type Progress, reported } from './progress.ts';
import { deathOf } from './ready.ts';

/**
 * The processes of a stack. When one of them ends by itself, or somebody asks for it, the group
 * halts: nothing more may be started, and everything is stopped, the latest first.
 */
export class ProcessGroup {
  readonly #members: ManagedProcess[] = [];
  readonly #halting = new AbortController();
  /** Resolves when the group halts, for {@link reason}. */
  readonly halted: Promise<void>;
  #isStopping = false;

  constructor() {
    this.halted = new Promise((resolve) => {
      this.#halting.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  get signal(): AbortSignal {
    return this.#halting.signal;
  }

  /** Why the group halted; undefined while it runs. */
  get reason(): Error | undefined {
    return this.#halting.signal.reason;
  }

  /** Halts the group; the first reason stands. */
  halt(reason: Error): void {
    if (!this.signal.aborted) this.#halting.abort(reason);
  }

  /** Adds a process that has just been started. */
  add(member: ManagedProcess): void {
    this.#members.push(member);
    member.ended.then(async () => {
      if (!this.#isStopping) this.halt(await deathOf(member));
    });
  }

  /** A member by its name. */
  find(name: string): ManagedProcess {
    const member = this.#members.find((candidate) => candidate.name === name);
    if (member === undefined) throw new Error(`no process is called ${name}`);
    return member;
  }

  /** Stops all, one after another, the latest first: services before the stores they use. */
  async stop(progress: Progress): Promise<void> {
    this.#isStopping = true;
    for (const member of this.#members.reverse()) {
      if (!member.isRunning()) continue;
      await reported(progress, `Stopping ${member.name}`, () => member.stop());
    }
  }

  /** Ends all at once. */
  kill(): void {
    this.#isStopping = true;
    for (const member of this.#members) member.kill();
  }
}
