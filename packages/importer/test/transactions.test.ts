import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type ImportWorld,
  nonZero,
  openImportWorld,
  runs,
  startup,
  startupCount,
} from './support.ts';

let world: ImportWorld;
beforeEach(async () => {
  world = await openImportWorld();
});
afterEach(() => world.close());

describe('transactions', () => {
  const commits = () =>
    world.rows<{ transaction: string; lines: number }>(
      `SELECT xmin::text AS transaction, count(*)::int AS lines FROM venture.startup
       GROUP BY xmin ORDER BY min(ctid)`,
    );

  test('hold at most 5,000 lines', async () => {
    const lines = Array.from({ length: 12_000 }, (_, n) => startup(`${n}`));
    const report = await world.importLines(lines);
    expect(nonZero(report.total)).toEqual({ read: 12_000, inserted: 12_000 });
    const sizes = (await commits()).map(({ lines: size }) => size);
    expect(sizes.sort((a, b) => b - a)).toEqual([5000, 5000, 2000]);
  });

  test('never hold two lines of one record, and follow the order of the file', async () => {
    await world.rows(`CREATE TABLE written (place serial, transaction xid8, name text)`);
    await world.rows('GRANT INSERT ON written TO PUBLIC');
    await world.rows('GRANT USAGE ON SEQUENCE written_place_seq TO PUBLIC');
    await world.rows(
      `CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO public.written (transaction, name) VALUES (pg_current_xact_id(), NEW.name);
         RETURN NULL; END $$`,
    );
    await world.rows(
      `CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON venture.startup
         FOR EACH ROW EXECUTE FUNCTION note_write()`,
    );
    const named = (key: string, Name: string) => startup(key, { Name });
    await world.importLines([
      named('a', 'a1'),
      named('b', 'b1'),
      named('a', 'a2'),
      named('c', 'c1'),
      named('b', 'b2'),
      named('b', 'b3'),
    ]);
    const rows = await world.rows(
      `SELECT array_agg(name ORDER BY name) AS names FROM written
       GROUP BY transaction ORDER BY min(place)`,
    );
    expect(rows.map(({ names }) => names)).toEqual([['a1', 'b1'], ['a2', 'b2', 'c1'], ['b3']]);
  });

  test('are tried again when another writer was in the way', async () => {
    await world.rows(`CREATE SEQUENCE failures`);
    await world.rows('GRANT USAGE ON SEQUENCE failures TO PUBLIC');
    await world.rows(
      `CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('public.failures') <= 2 THEN
           RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected';
         END IF;
         RETURN NULL; END $$`,
    );
    await world.rows(
      `CREATE TRIGGER fail_twice AFTER INSERT ON venture.startup EXECUTE FUNCTION fail_twice()`,
    );
    const report = await world.importLines([startup('1')]);
    expect(nonZero(report.total)).toEqual({ read: 1, inserted: 1 });
  });

  test('that fail for good fail the import, which leaves no tables behind', async () => {
    await world.rows(`ALTER TABLE venture.startup ADD CONSTRAINT no_bad CHECK (name <> 'bad')`);
    const lines = [startup('1'), startup('2', { Name: 'bad' })];
    await expect(world.importLines(lines)).rejects.toThrow(/no_bad/u);
    expect(await startupCount(world)).toBe(0);
    expect(await runs(world)).toMatchObject([{ state: 'failed' }]);
    expect(
      await world.rows(`SELECT FROM pg_tables WHERE schemaname = 'venture_import'`),
    ).toHaveLength(0);
  });
});
