import type pg from 'pg';

/**
 * Whether statements may have changed since the last complete run: an import has ended, or the method is another one.
 * Cheap.
 */
export async function isResolutionDue(database: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { METHOD } = await import('@vcds/resolution');
  const { rows } = await database.query<{ isDue: boolean }>(
    `SELECT EXISTS (
       SELECT FROM (VALUES (1), (2)) AS e(entity)
       LEFT JOIN venture.resolution_run r ON r.entity = e.entity
       WHERE r.method IS DISTINCT FROM $1 OR EXISTS (
         SELECT FROM venture.import_run i
         WHERE i.finished_at > r.imports_until AND i.inserted + i.updated + i.deleted > 0)
     ) AND EXISTS (SELECT FROM venture.import_run WHERE state = 'applied') AS "isDue"`,
    [METHOD],
  );
  return rows[0]?.isDue === true;
}
