import { describeEnd, type ManagedProcess } from '../processes/managed-process.ts';
import { unexpectedEnd } from '../processes/until-ready.ts';
import { type Progress, reported } from './progress.ts';
import { StackError } from './stack-error.ts';

/**
 * The processes of a stack. The group halts when one of them exits or {@link halt} is called: then
 * no process may be started, and all are stopped, newest first.
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

  /** Halts the group; only the first reason counts. */
  halt(reason: Error): void {
    if (!this.signal.aborted) this.#halting.abort(reason);
  }

  /** Adds a new process. */
  add(member: ManagedProcess): void {
    this.#members.push(member);
    member.ended.then(() => this.#haltAfterEnd());
  }

  /** Halts with the process that ended first as the reason, and those that ended after it. */
  async #haltAfterEnd(): Promise<void> {
    if (this.#isStopping || this.signal.aborted) return;
    const [first, ...later] = this.#members
      .filter((member) => !member.isRunning())
      .sort((a, b) => (a.exitedAt() ?? 0) - (b.exitedAt() ?? 0));
    if (first === undefined) return;
    const sentences = [await unexpectedEnd(first)];
    for (const member of later) {
      sentences.push(`Then ${member.name} ${describeEnd(await member.ended)}.`);
    }
    if (!this.#isStopping) this.halt(new StackError(sentences.join('\n')));
  }

  /** The process with this name. */
  find(name: string): ManagedProcess {
    const member = this.#members.find((candidate) => candidate.name === name);
    if (member === undefined) throw new Error(`no process has the name ${name}`);
    return member;
  }

  /** Stops all, one after another, newest first: services before their stores. */
  async stop(progress: Progress): Promise<void> {
    this.#isStopping = true;
    for (const member of this.#members.reverse()) {
      if (!member.isRunning()) continue;
      await reported(progress, `Stopping ${member.name}`, () => member.stop());
    }
  }

  /** Sends SIGKILL to all. */
  kill(): void {
    this.#isStopping = true;
    for (const member of this.#members) member.kill();
  }
}
