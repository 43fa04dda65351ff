// Tests docs/spec/import.md 14.5.
import { describe, expect, test } from '@jest/globals';
import { eventually, openedPerTest } from '@vcds/test-kit';
import { ImportError } from '../src/errors/import-error.ts';
import type { Progress } from '../src/index.ts';
import {
  endImportConnections,
  fund,
  investor,
  investorsOf,
  nonZero,
  openImportFixture,
  person,
  round,
  runs,
  startup,
  startupCount,
  totalsOf,
} from './support.ts';

const fixture = openedPerTest(openImportFixture);

describe('transactions', () => {
  const commits = () =>
    fixture.rows<{ transaction: string; lines: number }>(
      `SELECT xmin::text AS transaction, count(*)::int AS lines FROM venture.startup
       GROUP BY xmin ORDER BY min(ctid)`,
    );

  test('hold at most 5,000 lines', async () => {
    const lines = Array.from({ length: 12_000 }, (_, n) => startup(`${n}`));
    expect(await fixture.totals(lines)).toBe('read 12,000, inserted 12,000');
    const sizes = (await commits()).map(({ lines: size }) => size);
    expect(sizes.sort((a, b) => b - a)).toEqual([5000, 5000, 2000]);
  });

  test('never have two lines of one record, and keep the order of the lines of each record', async () => {
    await fixture.rows(`CREATE TABLE written (place serial, transaction xid8, name text)`);
    await fixture.rows('GRANT INSERT ON written TO PUBLIC');
    await fixture.rows('GRANT USAGE ON SEQUENCE written_place_seq TO PUBLIC');
    await fixture.rows(
      `CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO public.written (transaction, name) VALUES (pg_current_xact_id(), NEW.name);
         RETURN NULL; END $$`,
    );
    await fixture.rows(
      `CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON venture.startup
         FOR EACH ROW EXECUTE FUNCTION note_write()`,
    );
    const named = (key: string, Name: string) => startup(key, { Name });
    await fixture.importLines([
      named('a', 'a1'),
      named('b', 'b1'),
      named('a', 'a2'),
      named('c', 'c1'),
      named('b', 'b2'),
      named('b', 'b3'),
    ]);
    const rows = await fixture.rows(
      `SELECT array_agg(name ORDER BY name) AS names FROM written
       GROUP BY transaction ORDER BY min(place)`,
    );
    expect(rows.map(({ names }) => names)).toEqual([['a1', 'b1', 'c1'], ['a2', 'b2'], ['b3']]);
  });

  test('are as few for adjacent lines of one record as for lines that are apart', async () => {
    const lines: object[] = Array.from({ length: 300 }, (_, n) =>
      startup(`${Math.floor(n / 3)}`, { Name: `Name ${n}` }),
    );
    lines.splice(
      150,
      0,
      startup('late'),
      round('of-late', 'late'),
      startup('late', { Founded: 2001 }),
    );
    let applied = 0;
    const { total } = await fixture.importLines(lines, {
      onProgress: ({ step }) => {
        if (step === 'applying') applied += 1;
      },
    });
    expect(nonZero(total)).toEqual({ read: 303, inserted: 102, updated: 201 });
    expect(applied).toBe(3);
    const rows = await fixture.rows(
      'SELECT name, founded FROM venture.startup WHERE source_key IN ($1, $2, $3) ORDER BY 1, 2',
      ['0', '99', 'late'],
    );
    expect(rows).toEqual([
      { name: 'Company late', founded: 2001 },
      { name: 'Name 2', founded: null },
      { name: 'Name 299', founded: null },
    ]);
  });

  test('keep a list of investors before lines that change these investors', async () => {
    await fixture.importLines([
      startup('s'),
      fund('f'),
      round('r', 's'),
      round('r', 's', { Investors: [{ type: 'fund', key: 'f' }] }),
      investor('r', 'f', { op: 'patch', Lead: true }),
      round('r', 's', { Investors: [] }),
    ]);
    expect(await investorsOf(fixture, 'r')).toEqual([{ key: 'f', lead: true, alive: true }]);
  });

  test('are tried again when another writer was in the way', async () => {
    await fixture.rows(`CREATE SEQUENCE failures`);
    await fixture.rows('GRANT USAGE ON SEQUENCE failures TO PUBLIC');
    await fixture.rows(
      `CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('public.failures') <= 2 THEN
           RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected';
         END IF;
         RETURN NULL; END $$`,
    );
    await fixture.rows(
      `CREATE TRIGGER fail_twice AFTER INSERT ON venture.startup EXECUTE FUNCTION fail_twice()`,
    );
    expect(await fixture.totals([startup('1')])).toBe('read 1, inserted 1');
  });

  const startups = Array.from({ length: 5000 }, (_, n) => startup(`${n}`));
  test.each([
    ['of one type are applied by two sessions', 2, [...startups, startup('last')]],
    ['of two types one after the other', 1, [...startups, fund('last')]],
    ['with two types each one after the other', 1, [fund('first'), ...startups, fund('last')]],
    ['with an order one after the other', 1, [...startups, startup('0', { Name: 'again' })]],
  ])('%s', async (_which, sessions, lines) => {
    await fixture.rows(
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         PERFORM pg_advisory_xact_lock_shared(1);
         RETURN NULL; END $$`,
    );
    for (const table of ['startup', 'fund']) {
      await fixture.rows(
        `CREATE TRIGGER wait BEFORE INSERT ON venture.${table} EXECUTE FUNCTION wait()`,
      );
    }
    const other = await fixture.pool.connect();
    await other.query('SELECT pg_advisory_lock(1)');
    const imported = fixture.importLines(lines);
    // All sessions that have begun a transaction wait.
    await eventually(async () => {
      const [counts] = await fixture.rows(
        `SELECT count(*) FILTER (WHERE wait_event = 'advisory')::int AS waiting, count(*)::int AS open
         FROM pg_stat_activity
         WHERE application_name = 'vcds-import' AND datname = current_database()
           AND xact_start IS NOT NULL`,
      );
      return counts?.waiting === sessions && counts.open === sessions;
    }).finally(async () => {
      await other.query('SELECT pg_advisory_unlock(1)');
      other.release();
    });
    expect((await imported).total.rejected).toBe(0);
  });

  test('do not wait for a backup that reads all tables', async () => {
    const backup = await fixture.pool.connect();
    // The locks that pg_dump has until it ends.
    await backup.query('BEGIN');
    await backup.query(
      `DO $$ BEGIN EXECUTE (
         SELECT 'LOCK TABLE ' || string_agg(format('venture.%I', tablename), ', ')
           || ' IN ACCESS SHARE MODE'
         FROM pg_tables WHERE schemaname = 'venture'); END $$`,
    );
    let isDone = false;
    const imported = fixture.totals([startup('1', { Tags: ['Fintech'] })]).finally(() => {
      isDone = true;
    });
    const waiting = await eventually(async () => {
      const sessions = await fixture.rows(
        `SELECT query FROM pg_stat_activity
         WHERE application_name = 'vcds-import' AND datname = current_database()
           AND wait_event = 'relation'`,
      );
      return (isDone || sessions.length > 0) && sessions;
    }).finally(async () => {
      await backup.query('ROLLBACK');
      backup.release();
    });
    expect([waiting, await imported]).toEqual([[], 'read 1, inserted 1']);
  });

  test('that fail for good fail the import, which leaves no tables behind', async () => {
    await fixture.rows(`ALTER TABLE venture.startup ADD CONSTRAINT no_bad CHECK (name <> 'bad')`);
    const lines = [startup('1'), startup('2', { Name: 'bad' })];
    await expect(fixture.importLines(lines)).rejects.toThrow(/no_bad/u);
    expect(await startupCount(fixture)).toBe(0);
    expect(await runs(fixture)).toMatchObject([{ state: 'failed' }]);
    expect(
      await fixture.rows(`SELECT FROM pg_tables WHERE schemaname = 'venture_import'`),
    ).toHaveLength(0);
  });
});

describe('a first load', () => {
  const persons = (lines: number) => Array.from({ length: lines }, (_, n) => person(`${n}`));
  const definitions = () =>
    fixture.rows<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE schemaname = 'venture' ORDER BY indexname`,
    );
  const dropped = async () =>
    (await fixture.rows('SELECT FROM venture.dropped_index WHERE table_name = $1', ['person']))
      .length;

  test('builds the indexes of its tables after its lines, and says so', async () => {
    const whole = await definitions();
    const steps: string[] = [];
    const report = await fixture.importLines([...persons(300), startup('few')], {
      firstLoadLinesMin: 300,
      onProgress: ({ step }) => {
        if (steps.at(-1) !== step) steps.push(step);
      },
    });
    expect(steps).toEqual(['staging', 'checking', 'applying', 'indexing', 'finishing']);
    expect(await definitions()).toEqual(whole);
    const ofPersons = whole.filter(
      ({ indexdef }) => /ON venture\.person /u.test(indexdef) && !/ UNIQUE /u.test(indexdef),
    );
    expect(report.indexes).toBe(ofPersons.length);
    expect(ofPersons.length).toBeGreaterThan(5);
    const more = await fixture.importLines(persons(599), { firstLoadLinesMin: 300 });
    expect([more.indexes, totalsOf(more)]).toEqual([0, 'read 599, inserted 299, unchanged 300']);
  });

  test('of rounds also builds the indexes of the startups and funds that it updates', async () => {
    const whole = await definitions();
    await fixture.importLines([startup('of'), fund('by')]);
    const rounds = Array.from({ length: 300 }, (_, n) =>
      round(`${n}`, 'of', { Amount: n, Investors: [{ type: 'fund', key: 'by' }] }),
    );
    const { indexes } = await fixture.importLines(rounds, { firstLoadLinesMin: 300 });
    expect(indexes).toBeGreaterThan(50);
    expect(await definitions()).toEqual(whole);
  });

  test.each(['applying', 'indexing'] as const)(
    'that fails while it is %s leaves the indexes to the next import',
    async (step) => {
      const whole = await definitions();
      let isEnded = false;
      const onProgress = (progress: Progress) => {
        if (isEnded || progress.step !== step || progress.lines === 0) return;
        isEnded = true;
        endImportConnections(fixture);
      };
      const failed = fixture.importLines(persons(6000), {
        firstLoadLinesMin: 1000,
        workers: 1,
        onProgress,
      });
      await expect(failed).rejects.toThrow(
        / \d+ indexes are missing until an import completes\.$/u,
      );
      const missing = await dropped();
      expect(missing).toBeGreaterThan(0);
      expect((await definitions()).length).toBe(whole.length - missing);
      const next = await fixture.importLines([person('next')]);
      expect([next.indexes, totalsOf(next)]).toEqual([missing, 'read 1, inserted 1']);
      expect([await definitions(), await dropped()]).toEqual([whole, 0]);
    },
  );

  test.each(['stopped', 'killed'] as const)(
    'that is %s while it builds indexes is completed by the next import',
    async (how) => {
      const ends = new AbortController();
      const lines = Array.from({ length: 300 }, (_, n) =>
        startup(`${n}`, { Tags: [`Tag ${n % 3}`] }),
      );
      let isEnded = false;
      const onProgress = ({ step, lines: built }: Progress) => {
        if (isEnded || step !== 'indexing' || built === 0) return;
        isEnded = true;
        if (how === 'killed') endImportConnections(fixture);
        else ends.abort(new ImportError('stopped', 'enough'));
      };
      const { signal } = ends;
      const ended = fixture.importLines(lines, { firstLoadLinesMin: 300, signal, onProgress });
      await expect(ended).rejects.toThrow(/indexes are missing until an import completes\.$/u);
      const next = await fixture.importLines(lines);
      expect(totalsOf(next)).toBe('read 300, unchanged 300');
      expect(await dropped()).toBe(0);
    },
  );

  test('collects statistics of its tables after its first transaction', async () => {
    const ends = new AbortController();
    const stopped = fixture.importLines(persons(6000), {
      firstLoadLinesMin: 1000,
      signal: ends.signal,
      onProgress: ({ step }) => {
        // Before the statistics of the whole import are collected.
        if (step === 'indexing') ends.abort(new ImportError('stopped', 'enough'));
      },
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(
      await fixture.rows(
        `SELECT null_frac FROM pg_stats
         WHERE schemaname = 'venture' AND tablename = 'person' AND attname = 'deleted_at'`,
      ),
    ).toEqual([{ null_frac: 1 }]);
    await fixture.importLines([person('next')]);
    expect(await dropped()).toBe(0);
  });

  test('collects statistics of each type after the first transaction that has it', async () => {
    const startups = Array.from({ length: 5000 }, (_, n) => startup(`${n}`));
    const rounds = [round('r', '0'), round('r', '0', { Investors: [{ type: 'fund', key: 'f' }] })];
    // Three transactions; the last one has the second line of the round.
    await fixture.importLines([...startups, fund('f'), ...rounds]);
    const tables = await fixture.rows(
      `SELECT DISTINCT tablename AS name FROM pg_stats
       WHERE schemaname = 'venture' AND tablename IN ('startup', 'fund', 'funding_round')
       ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(['fund', 'funding_round', 'startup']);
  });

  test('into a table that another statement locks keeps its indexes', async () => {
    const other = await fixture.pool.connect();
    try {
      await other.query('BEGIN; LOCK TABLE venture.person IN ACCESS SHARE MODE');
      const report = await fixture.importLines(persons(300), { firstLoadLinesMin: 300 });
      expect([report.indexes, totalsOf(report)]).toEqual([0, 'read 300, inserted 300']);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
  });
});
