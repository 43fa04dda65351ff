import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { redisContents } from '../redis-contents.ts';

/** Texts to scan, by their location. */
export type Places = ReadonlyMap<string, string>;

/**
 * All data and commands of Redis: every key and its value, every file in its folder (the append-only
 * file and its base, rewritten first), and the log of its slowest commands.
 */
export async function scanRedis(url: string): Promise<Places> {
  const redis = new Redis(url, { maxRetriesPerRequest: 2 });
  const places = new Map<string, string>();
  try {
    const folder = (await redis.config('GET', 'dir'))[1] ?? '';
    for (const [name, text] of await filesIn(folder)) places.set(`Redis file ${name}`, text);
    // A dump may be compressed; the value is not.
    for (const [key, value] of Object.entries(await redisContents(redis))) {
      const dumped = (await redis.dumpBuffer(key))?.toString('latin1') ?? '';
      places.set(`Redis key ${key}`, `${key}\n${dumped}\n${JSON.stringify(value)}`);
    }
    places.set('Redis slow log', JSON.stringify(await redis.call('SLOWLOG', 'GET', '-1')));
  } finally {
    redis.disconnect();
  }
  return places;
}

/** Every row of every table that is not PostgreSQL's own, as text, as a dump would hold it. */
export async function scanPostgres(url: string): Promise<Places> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const places = new Map<string, string>();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      places.set(`PostgreSQL table ${name}`, rows.map(({ row }) => row).join('\n'));
    }
  } finally {
    await client.end();
  }
  return places;
}

/** Where a secret is found, in the clear or in base64. */
export function findSecret(secret: string, places: Places): string[] {
  const encoded = Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1);
  const forms = [secret, encoded, encodeURIComponent(secret)];
  return placesWith(places, (text) => forms.some((form) => text.includes(form)));
}

/** Where a six-digit code is found by itself: not as a part of a longer number or word. */
export function findCode(code: string, places: Places): string[] {
  const alone = new RegExp(`(?<![\\w+/.-])${code}(?![\\w+/.=-])`);
  return placesWith(places, (text) => alone.test(text));
}

function placesWith(places: Places, isThere: (text: string) => boolean): string[] {
  return [...places].filter(([, text]) => isThere(text)).map(([place]) => place);
}

async function filesIn(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.endsWith('.conf')) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(entry.name, await readFile(path, 'latin1'));
  }
  return files;
}
