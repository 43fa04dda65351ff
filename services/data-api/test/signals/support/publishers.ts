import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Two publishers as processes, of which the one that leads is killed again and again. */
export class Publishers {
  readonly #folder: string;
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  #children: ChildProcess[] = [];
  #leader: ChildProcess | undefined;
  kills = 0;

  /** @param folder that of the package. */
  constructor(folder: string, url: string, killEveryMs: number) {
    this.#folder = folder;
    this.#url = url;
    this.#children = [this.#spawn(), this.#spawn()];
    this.#timer = setInterval(() => this.#killLeader(), killEveryMs);
  }

  /** No more kills from now on. */
  spare(): void {
    clearInterval(this.#timer);
  }

  async close(): Promise<void> {
    this.spare();
    const children = this.#children;
    this.#children = [];
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
  }

  #killLeader(): void {
    const leader = this.#leader;
    if (leader === undefined) return;
    this.#leader = undefined;
    this.kills += 1;
    leader.kill('SIGKILL');
    this.#children = [...this.#children.filter((child) => child !== leader), this.#spawn()];
  }

  #spawn(): ChildProcess {
    const script = join(this.#folder, 'test/signals/support/publisher-process.mjs');
    const child = spawn(process.execPath, [script], {
      env: { PATH: process.env.PATH, DATABASE_URL: this.#url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('leads')) this.#leader = child;
    });
    return child;
  }
}
