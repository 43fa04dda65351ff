import type { Logger, ReadApplied } from '@vcds/service-kit';
import { failureOf, unavailable } from './errors.ts';
import { Probe, type ServerState } from './probe.ts';
import { type ReadLimits, ReadServer, type ReadServerOptions } from './read-server.ts';
import { Admission, type PrimaryPositions } from './replica-lag.ts';
import type { Statement } from './statement.ts';

/** Throws unless the database has the migrations of this build. */
export type AssertSchema = (read: ReadApplied) => Promise<void>;

export interface ReplicaOptions extends ReadServerOptions {
  readonly lagMsMax: number;
  readonly assertSchema: AssertSchema;
}

/** A streaming replica for reads, and whether it is used. */
export class Replica {
  /** Host and port. */
  readonly name: string;
  readonly server: ReadServer;
  readonly #logger: Logger;
  readonly #assertSchema: AssertSchema;
  readonly #probe: Probe;
  readonly #admission: Admission;
  /** Rejects the statements that wait for it. */
  readonly #waiting = new Set<(error: unknown) => void>();
  #replayed = 0n;
  #measuring: Promise<ServerState> | undefined;
  /** Polls in a row without an answer in time. */
  #silentPolls = 0;
  #lagMs: number | undefined;
  #lagBytes: number | undefined;

  constructor(options: ReplicaOptions) {
    const { connectionString, lagMsMax, assertSchema, logger } = options;
    this.name = new URL(connectionString).host;
    this.server = new ReadServer(options);
    this.#probe = new Probe(connectionString, logger);
    this.#admission = new Admission(lagMsMax);
    this.#assertSchema = assertSchema;
    this.#logger = logger;
  }

  get isUsed(): boolean {
    return this.#admission.isUsed;
  }

  /** The measured lag; undefined while it is unknown. */
  get lag(): { readonly ms: number | undefined; readonly bytes: number | undefined } {
    return { ms: this.#lagMs, bytes: this.#lagBytes };
  }

  /**
   * The rows of a statement. If the replica becomes unreachable meanwhile, it fails at once.
   *
   * @throws ApiError as {@link ReadServer.rows}.
   */
  async rows<Row extends object>(statement: Statement, limits?: ReadLimits): Promise<Row[]> {
    let stop: ((error: unknown) => void) | undefined;
    const lost = new Promise<never>((_, reject) => {
      stop = reject;
      this.#waiting.add(reject);
    });
    try {
      return await Promise.race([this.server.rows<Row>(statement, limits), lost]);
    } catch (error) {
      if (failureOf(error) === 'connection') this.#leaveOut('unreachable', error);
      throw error;
    } finally {
      if (stop !== undefined) this.#waiting.delete(stop);
    }
  }

  /** Whether it is known to have replayed the log up to a position. */
  async hasReplayed(lsn: bigint): Promise<boolean> {
    if (this.#replayed >= lsn) return true;
    try {
      this.#replayed = (await this.#state()).lsn;
    } catch {
      // The poll decides whether it is still used.
      return false;
    }
    return this.#replayed >= lsn;
  }

  /** Measures the lag, and decides whether the replica is used. Never fails. */
  async poll(primary: ServerState | undefined, positions: PrimaryPositions): Promise<void> {
    const wasUsed = this.isUsed;
    try {
      const state = await this.#state();
      this.#silentPolls = 0;
      assertReplicaOf(primary, state);
      if (!wasUsed) await this.#assertSchema((text) => this.#probe.rows(text));
      this.#measure(state, positions);
    } catch (error) {
      // A single one may be a stall of this process, whose timer ends before it reads the answer.
      this.#silentPolls = isSilence(error) ? this.#silentPolls + 1 : 0;
      if (this.#silentPolls !== 1) this.#leaveOut('unreachable or unsuitable', error);
      return;
    }
    if (wasUsed === this.isUsed) return;
    const line = { replica: this.name, lagMs: this.#lagMs };
    if (wasUsed) this.#logger.warn(line, 'replica left out: too far behind');
    else this.#logger.info(line, 'replica in use');
  }

  async close(): Promise<void> {
    await Promise.all([this.server.close(), this.#probe.close()]);
  }

  // The probe has one connection: calls that wait for the state share it.
  #state(): Promise<ServerState> {
    this.#measuring ??= this.#probe.state().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  #measure({ lsn, replayAgeMs }: ServerState, positions: PrimaryPositions): void {
    const lagMs = positions.lagMs(lsn, performance.now());
    this.#replayed = lsn;
    this.#admission.polled(lagMs);
    this.#lagMs = lagMs ?? replayAgeMs ?? undefined;
    const { latest } = positions;
    this.#lagBytes = latest === undefined ? undefined : Math.max(0, Number(latest - lsn));
  }

  #leaveOut(reason: string, error: unknown): void {
    if (this.isUsed)
      this.#logger.warn({ replica: this.name, error }, `replica left out: ${reason}`);
    this.#admission.failed();
    this.#lagMs = undefined;
    this.#lagBytes = undefined;
    this.#replayed = 0n;
    // As a lost connection, whatever the reason: the primary repeats these statements.
    const gone = new Error('Connection terminated: the replica was left out', { cause: error });
    for (const reject of this.#waiting) reject(unavailable(gone));
    this.#waiting.clear();
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && /Query read timeout/.test(error.message);
}

/**
 * @param primary undefined while it is unreachable.
 * @throws Error for another cluster, and for a server that was promoted: it is not a replica any
 *   more. The primary itself is accepted, because a reader endpoint may lead to it.
 */
function assertReplicaOf(primary: ServerState | undefined, state: ServerState): void {
  if (primary !== undefined && state.cluster !== primary.cluster) {
    throw new Error('The server of DATABASE_REPLICA_URL is not a replica of that of DATABASE_URL.');
  }
  if (!state.isStandby && state.startedAt !== primary?.startedAt) {
    throw new Error('The server of DATABASE_REPLICA_URL does not replicate: it was promoted.');
  }
}
