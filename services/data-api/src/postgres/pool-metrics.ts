import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Registers gauges of connection pools, read from the pools whenever metrics are collected. */
export function registerPoolMetrics(
  registry: Registry,
  pools: Readonly<Record<string, pg.Pool>>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'vcds_database_pool_connections',
    help: 'Connections to PostgreSQL by pool and state: in_use or idle.',
    labelNames: ['pool', 'state'],
    registers,
    collect: function () {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'in_use' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'vcds_database_pool_connections_max',
    help: 'Maximum number of connections of a pool.',
    labelNames: ['pool'],
    registers,
    collect: function () {
      for (const [pool, { options }] of Object.entries(pools)) this.set({ pool }, options.max);
    },
  });
  new Gauge({
    name: 'vcds_database_pool_waiting',
    help: 'Statements that wait for a connection of the pool.',
    labelNames: ['pool'],
    registers,
    collect: function () {
      for (const [pool, { waitingCount }] of Object.entries(pools))
        this.set({ pool }, waitingCount);
    },
  });
}
