import { createHash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';

/** One Redis, a Sentinel group or a Cluster. */
export type RedisClient = Redis | Cluster;

/**
 * Runs a Lua script, atomically. `keys` are all keys that it uses; in a Cluster they must be in one
 * slot. Resolves with the reply; rejects as any command of the client does.
 */
export type Script = (
  client: RedisClient,
  keys: readonly string[],
  args?: readonly (string | number)[],
) => Promise<unknown>;

/**
 * A Lua script as a command of the client: each connection sends its text once (EVAL), and after
 * that its digest (EVALSHA). A server that has lost it gets the text again.
 */
export function defineScript(lua: string): Script {
  const command = `script:${createHash('sha1').update(lua).digest('hex')}`;
  return (client, keys, args = []) => {
    if (!(command in client)) client.defineCommand(command, { lua });
    return Reflect.get(client, command).call(client, keys.length, ...keys, ...args);
  };
}

/** Whether an error was raised by a script itself; all others are of connection or server. */
export function isScriptError(error: unknown): boolean {
  return error instanceof Error && /^(?:ERR|WRONGTYPE)\b.*user_script/s.test(error.message);
}
