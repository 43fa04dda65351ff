import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/**
 * Registers gauges of connection pools, read from the pools whenever metrics are collected.
 *
 * @param pools by server, then by name.
 */
export function registerPoolMetrics(
  registry: Registry,
  pools: Readonly<Record<string, Readonly<Record<string, pg.Pool>>>>,
): void {
  const registers = [registry];
  const all = Object.entries(pools).flatMap(([server, named]) =>
    Object.entries(named).map(([name, pool]) => ({ labels: { server, pool: name }, pool })),
  );
  new Gauge({
    name: 'vcds_database_pool_connections',
    help: 'Connections to PostgreSQL by pool and state: in_use or idle.',
    labelNames: ['server', 'pool', 'state'],
    registers,
    collect: function () {
      for (const { labels, pool } of all) {
        this.set({ ...labels, state: 'in_use' }, pool.totalCount - pool.idleCount);
        this.set({ ...labels, state: 'idle' }, pool.idleCount);
      }
    },
  });
  new Gauge({
    name: 'vcds_database_pool_connections_max',
    help: 'Maximum number of connections of a pool.',
    labelNames: ['server', 'pool'],
    registers,
    collect: function () {
      for (const { labels, pool } of all) this.set(labels, pool.options.max);
    },
  });
  new Gauge({
    name: 'vcds_database_pool_waiting',
    help: 'Statements that wait for a connection of the pool.',
    labelNames: ['server', 'pool'],
    registers,
    collect: function () {
      for (const { labels, pool } of all) this.set(labels, pool.waitingCount);
    },
  });
}
