import { Counter, Gauge, type Registry } from 'prom-client';
import type { RepeatReason } from './database.ts';
import type { Replica } from './replica.ts';

/**
 * Metrics of the replicas.
 *
 * @param replicas returns them; they may be opened later.
 */
export function createReplicaMetrics(registry: Registry, replicas: () => readonly Replica[]) {
  const registers = [registry];
  const labelNames = ['replica'];
  new Gauge({
    name: 'vcds_database_replica_lag_seconds',
    help: 'How old the data of a replica is, at most; absent while it is unknown.',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { name, lag } of replicas()) {
        if (lag.ms !== undefined) this.set({ replica: name }, lag.ms / 1000);
      }
    },
  });
  new Gauge({
    name: 'vcds_database_replica_lag_bytes',
    help: 'Write-ahead log of the primary that a replica has not replayed; absent while unknown.',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { name, lag } of replicas()) {
        if (lag.bytes !== undefined) this.set({ replica: name }, lag.bytes);
      }
    },
  });
  new Gauge({
    name: 'vcds_database_replica_used',
    help: '1 while reads use the replica, 0 while it is left out.',
    labelNames,
    registers,
    collect() {
      for (const { name, isUsed } of replicas()) this.set({ replica: name }, isUsed ? 1 : 0);
    },
  });
  const repeated = new Counter({
    name: 'vcds_database_reads_repeated_total',
    help:
      'Calls that the primary repeated, by reason: not_replayed (what the call requires), ' +
      'conflict (of a statement with the replay), connection.',
    labelNames: ['replica', 'reason'],
    registers,
  });
  return {
    repeated: (replica: string, reason: RepeatReason) => repeated.inc({ replica, reason }),
  };
}
