import { readdir, readFile, readlink } from 'node:fs/promises';
import { eventually } from '@vcds/test-kit/bench';
import pg from 'pg';
import type { Member } from './member.ts';
import type { Topology } from './topology.ts';

const LOOPBACK = '0100007F';

/**
 * Blocks the writers of a table, and resolves with the process whose session waits for it in the
 * middle of its transaction. `release` lets the writers continue.
 *
 * @param name the start of the `application_name` of the session.
 */
export async function stoppedAt(topology: Topology, table: string, name: string) {
  const client = new pg.Client({ connectionString: topology.databases.primary.url });
  await client.connect();
  const release = () => client.end();
  try {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const member = await eventually(() =>
      memberOfSession(topology, `name ^@ $1 AND type = 'Lock' AND kind = 'relation'`, [name]),
    );
    return { member, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The process with the session of this `application_name`; waits for it. */
export function sessionOf(topology: Topology, name: string): Promise<Member> {
  return eventually(() => memberOfSession(topology, 'name = $1', [name]));
}

async function memberOfSession(
  { databases, members }: Topology,
  condition: string,
  values: readonly string[],
): Promise<Member | false> {
  const client = new pg.Client({ connectionString: databases.primary.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ port: number }>(
      `SELECT client_port AS port FROM (SELECT client_port, application_name AS name,
         wait_event_type AS type, wait_event AS kind FROM pg_stat_activity) a WHERE ${condition}`,
      [...values],
    );
    for (const { port } of rows) {
      const inode = await inodeOf(port);
      for (const member of members) if (await hasSocket(member.pid(), inode)) return member;
    }
    return false;
  } finally {
    await client.end();
  }
}

/** The inode of the connection of this machine that has the local port, from Linux' table. */
async function inodeOf(port: number): Promise<string | undefined> {
  const local = `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  return lines.map((line) => line.trim().split(/\s+/)).find((row) => row[1] === local)?.[9];
}

async function hasSocket(pid: number | undefined, inode: string | undefined): Promise<boolean> {
  if (pid === undefined || inode === undefined) return false;
  const folder = `/proc/${pid}/fd`;
  for (const name of await readdir(folder)) {
    const target = await readlink(`${folder}/${name}`).catch(() => '');
    if (target === `socket:[${inode}]`) return true;
  }
  return false;
}
