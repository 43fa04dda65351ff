import type { SearchDatabase } from './search-request.ts';

const REFRESH_MS = 3_600_000;

/**
 * A sample of a database that is read by the first call of the process, and again after an hour. Calls
 * meanwhile have the sample before, also if it cannot be read again; the first call rejects if its read does.
 */
export function hourly<Sample>(
  read: (database: SearchDatabase) => Promise<Sample>,
  now = () => performance.now(),
): (database: SearchDatabase) => Promise<Sample> {
  const loaded = new WeakMap<
    SearchDatabase,
    { readonly sample: Promise<Sample>; readonly staleAtMs: number }
  >();
  return (database) => {
    const last = loaded.get(database);
    const nowMs = now();
    if (last !== undefined && nowMs < last.staleAtMs) return last.sample;
    const fresh = { sample: read(database), staleAtMs: nowMs + REFRESH_MS };
    const keep = () => loaded.set(database, fresh);
    if (last === undefined) {
      keep();
      fresh.sample.catch(() => loaded.delete(database));
      return fresh.sample;
    }
    loaded.set(database, { ...last, staleAtMs: fresh.staleAtMs });
    fresh.sample.then(keep, () => undefined);
    return last.sample;
  };
}
