import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@vcds/service-kit';
import { Probe, type ServerState } from './probe.ts';
import type { ReadServerOptions } from './read-server.ts';
import { type AssertSchema, Replica } from './replica.ts';
import { PrimaryPositions } from './replica-lag.ts';

export interface ReplicasOptions {
  readonly primaryUrl: string;
  readonly urls: readonly string[];
  /** A replica further behind is left out. */
  readonly lagMsMax: number;
  readonly assertSchema: AssertSchema;
  /** The pools of each replica. */
  readonly pools: Omit<ReadServerOptions, 'connectionString'>;
  readonly logger: Logger;
}

/** Milliseconds between two polls of the servers. */
const POLL_MS = 500;
const WINDOW_MS_MIN = 60_000;

/** The replicas, whose lag is measured twice a second. */
export class Replicas {
  readonly all: readonly Replica[];
  readonly #primary: Probe;
  readonly #positions: PrimaryPositions;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor({ primaryUrl, urls, pools, logger, ...options }: ReplicasOptions) {
    this.#primary = new Probe(primaryUrl, logger);
    this.#positions = new PrimaryPositions(Math.max(WINDOW_MS_MIN, 2 * options.lagMsMax));
    this.all = urls.map(
      (connectionString) => new Replica({ ...pools, ...options, connectionString, logger }),
    );
  }

  /** Starts to poll; returns at once. */
  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * The replica for the reads of a key, such as an account: always the same one while it is used, so
   * that its reads do not go back in time. Undefined if none is used.
   */
  choose(key: string): Replica | undefined {
    const used = this.all.filter(({ isUsed }) => isUsed);
    if (used.length < 2) return used[0];
    const weighted = used.map((replica) => ({ replica, weight: weightOf(key, replica.name) }));
    return weighted.reduce((one, other) => (other.weight > one.weight ? other : one)).replica;
  }

  /** Polls the primary, then the replicas. */
  async poll(): Promise<void> {
    const atMs = performance.now();
    let primary: ServerState | undefined;
    try {
      primary = await this.#primary.state();
      this.#positions.record(primary.lsn, atMs);
    } catch {
      // Replicas that have replayed all that is known are used without it.
    }
    await Promise.all(this.all.map((replica) => replica.poll(primary, this.#positions)));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all([this.#primary, ...this.all].map((each) => each.close()));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.poll();
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Rendezvous hashing: the highest weight of a key is random among the replicas, and constant. */
function weightOf(key: string, name: string): number {
  return createHash('md5').update(`${name} ${key}`).digest().readUInt32BE();
}
