// Tests docs/spec/import.md 14.4.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, describeWithData, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { openImportFixture, sumsAgree } from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

const TABLES = ['startup', 'fund', 'funding_round', 'round_investor', 'holding', 'post_valuation'];

/** Everything that is known, but for when it was written. */
async function everything(): Promise<string> {
  const all: unknown[] = [];
  for (const table of ['startup', 'fund']) {
    const stale = await fixture.rows(
      `SELECT name, tags, keywords FROM venture.${table}
       WHERE keywords IS DISTINCT FROM venture.profile_document(name, tags, description)`,
    );
    expect(stale).toEqual([]);
  }
  for (const table of TABLES) {
    all.push(
      await fixture.rows(
        `SELECT to_jsonb(t) - ARRAY['created_at', 'updated_at', 'deleted_at', 'changed_in', 'keywords']
           || jsonb_build_object('dead', deleted_at IS NOT NULL) AS record
         FROM venture.${table} t ORDER BY 1`,
      ),
    );
  }
  return JSON.stringify(all);
}

/** The same, without how often each record changed. */
const state = async () => (await everything()).replaceAll(/"revision":\d+/gu, '');

async function clear(): Promise<void> {
  await fixture.rows(`TRUNCATE venture.${TABLES.join(', venture.')}, venture.news, venture.reference,
    venture.startup_person, venture.fund_person, venture.import_sequence, venture.term CASCADE`);
}

/** The records of startups without regard to spelling, and every spelling of each term. */
async function spelled(): Promise<unknown> {
  const fold = (kind: string, value: string) => `venture.term_fold('${kind}', ${value})`;
  return fixture.rows(
    `SELECT (SELECT jsonb_agg(jsonb_build_array(s.source_key, s.revision, s.countries,
         (SELECT array_agg(f ORDER BY f) FROM (SELECT ${fold('tag', 't')} AS f
           FROM unnest(s.tags) t) x),
         ${fold('city', 's.location')}) ORDER BY s.source_key) FROM venture.startup s) AS startups,
       (SELECT jsonb_agg(DISTINCT to_jsonb(x)) FROM (
         SELECT kind, country, folded, label AS spelling FROM venture.term UNION
         SELECT kind, country, folded, spelling FROM venture.term_spelling) x) AS spellings`,
  );
}

const key = fc.constantFrom('a', 'b', 'c');
const op = fc.constantFrom('upsert', 'upsert', 'upsert', 'mention', 'patch', 'delete');
const occurredAt = fc.option(
  fc.constantFrom('2024-01-01', '2024-01-02', '2024-01-03T12:00:00+02:00'),
  { nil: undefined },
);
const startupLine = fc.record({
  op,
  type: fc.constant('startup'),
  source: fc.constant('p'),
  key,
  occurredAt,
  Name: fc.constantFrom('Acme', 'Bolt', 'Ümlaut'),
  Founded: fc.option(fc.constantFrom(1999, 2005)),
  Tags: fc.subarray(['AI', 'ai', 'Web', 'Fin Tech', 'fintech']),
  Description: fc.option(fc.constantFrom('Robots for farms', 'Ölmühlen')),
  City: fc.option(fc.constantFrom('Zürich', 'Zurich', 'Rome')),
});
const fundLine = fc.record({
  op: fc.constantFrom('upsert', 'delete'),
  type: fc.constant('fund'),
  source: fc.constant('p'),
  key,
  Name: fc.constantFrom('F1', 'F2'),
});
const roundLine = fc.record({
  op,
  type: fc.constant('round'),
  source: fc.constant('p'),
  key,
  occurredAt,
  Startup: fc.record({ key }),
  Date: fc.option(fc.constantFrom('2020-01-01', '2021-01-01')),
  Amount: fc.option(fc.constantFrom(1000, 2000.5)),
  Currency: fc.constantFrom('USD', 'EUR', 'XXX'),
  Investors: fc.option(fc.array(fc.record({ type: fc.constant('fund'), key }), { maxLength: 2 })),
});
const relationLine = fc.record({
  op: fc.constantFrom('upsert', 'delete'),
  type: fc.constant('investor'),
  source: fc.constant('p'),
  Round: fc.record({ key }),
  Investor: fc.record({ type: fc.constant('fund'), key }),
});
const holdingLine = fc.record({
  op: fc.constantFrom('upsert', 'delete'),
  type: fc.constant('holding'),
  source: fc.constant('p'),
  Fund: fc.record({ key }),
  Startup: fc.record({ key }),
  Status: fc.option(fc.constantFrom('Held', 'Exited')),
});

/** A line without the fields its operation may not carry. */
const shaped = (line: Readonly<Record<string, unknown>>) => {
  const entries = Object.entries(line).filter(([name, value]) => {
    if (value === undefined) return false;
    if (line.op === 'mention' && name === 'Investors') return false;
    const kept = ['op', 'type', 'source', 'key', 'occurredAt', 'Round', 'Investor', 'Fund'];
    return (
      line.op !== 'delete' || kept.includes(name) || (name === 'Startup' && line.type === 'holding')
    );
  });
  return Object.fromEntries(entries);
};
const anyLine = fc.oneof(startupLine, fundLine, roundLine, relationLine, holdingLine).map(shaped);

describe('whatever the lines', () => {
  test('every line comes to one end, and the same import again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 25 }), async (lines) => {
        await clear();
        const trial = await fixture.importLines(lines, { continueOnRejected: true });
        expect(sumsAgree(trial)).toBe(true);
        expect(trial.total.read).toBe(lines.length);
        const rejected =
          trial.total.rejected > 0 ? await fixture.sideFile('lines.rejected.ndjson') : [];
        const faulty = new Set(rejected.map(({ line }) => line));
        const good = lines.filter((_, index) => !faulty.has(index + 1));
        await clear();
        expect(await fixture.importLines(good)).toMatchObject({ state: 'applied' });
        const once = await everything();
        const again = await fixture.importLines(good);
        expect(sumsAgree(again)).toBe(true);
        expect(again.total).toMatchObject({
          read: good.length,
          inserted: 0,
          updated: 0,
          deleted: 0,
        });
        expect(await everything()).toBe(once);
      }),
      runs(2, 80),
    );
  });

  test('neither order nor repetition of files changes a record or what is understood', async () => {
    const spelledLine = fc.record({
      op: fc.constant('upsert'),
      type: fc.constant('startup'),
      source: fc.constant('p'),
      Name: fc.constant('Acme'),
      Tags: fc.subarray(['FinTech', 'Fintech', 'fin tech', 'AI', 'ai'], { maxLength: 2 }),
      City: fc.constantFrom('Paraná', 'Parana', 'PARANÁ'),
      Country: fc.constantFrom('Brazil', 'Argentina'),
    });
    const files = fc
      .array(fc.array(spelledLine, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 })
      .map((all) =>
        all.map((lines, file) => lines.map((line, n) => ({ ...line, key: `${file} ${n}` }))),
      );
    await fc.assert(
      fc.asyncProperty(
        files.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { maxLength: 3 })),
        ),
        async ([all, shuffled]) => {
          await clear();
          for (const lines of all) await fixture.importLines(lines);
          const inOrder = await spelled();
          const labels = () =>
            fixture.rows('SELECT kind, country, label FROM venture.term ORDER BY 1, 2, 3');
          await clear();
          for (const lines of shuffled) await fixture.importLines(lines);
          const served = await labels();
          for (const lines of [...all].reverse()) await fixture.importLines(lines);
          expect(await spelled()).toEqual(inOrder);
          expect(await labels()).toEqual(expect.arrayContaining(served));
        },
      ),
      runs(2, 80),
    );
  });

  test('the order of lines of different records does not matter', async () => {
    const records = fc.uniqueArray(fc.oneof(startupLine, fundLine, roundLine).map(shaped), {
      selector: (line) => `${line.type} ${line.key}`,
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(
        records.chain((lines) =>
          fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
        ),
        async ([lines, shuffled]) => {
          await clear();
          await fixture.importLines(lines, { continueOnRejected: true });
          const straight = await state();
          await clear();
          await fixture.importLines(shuffled, { continueOnRejected: true });
          expect(await state()).toBe(straight);
        },
      ),
      runs(2, 60),
    );
  });
});

describe('nonsense', () => {
  test('of any kind is rejected line by line, and never an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.anything()), {
          maxLength: 50,
        }),
        async (lines) => {
          const kept = lines.filter(
            (line) => JSON.stringify(line) !== undefined || line === undefined,
          );
          const report = await fixture.importLines(
            kept.map((line) => (typeof line === 'bigint' ? String(line) : (line ?? null))),
            { continueOnRejected: true },
          );
          expect(sumsAgree(report)).toBe(true);
          expect(report.total.inserted).toBe(0);
        },
      ),
      runs(2, 60),
    );
  });
});

describeWithData(
  'naughty strings',
  (folder) => {
    test('go in as names, tags, places, keys and sites, and come out cleaned', async () => {
      const strings: string[] = JSON.parse(
        await readFile(join(folder, 'robustness/blns/blns.json'), 'utf8'),
      );
      const naughty = [
        ...strings,
        'a\0b',
        '\ud800',
        '\udfff x',
        '\\N',
        '\\.',
        'a\tb',
        '{"a"}',
        '{}',
      ];
      const lines = naughty.map((text, n) => ({
        type: 'startup',
        source: 'naughty',
        key: `${n} ${text.replaceAll(/[\0\p{Cs}]/gu, '')}`,
        Name: `n${text}`.slice(0, 500),
        Description: text,
        Website: text.slice(0, 2000),
        Tags: [text, `${text}2`].map((tag) => tag.slice(0, 200)),
        Addresses: [{ City: text.slice(0, 200), Street: text.slice(0, 500) }],
      }));
      await clear();
      const first = await fixture.importLines(lines, { continueOnRejected: true });
      expect(sumsAgree(first)).toBe(true);
      expect(first.total.inserted).toBe(lines.length);
      const again = await fixture.importLines(lines, { continueOnRejected: true });
      expect(again.total).toMatchObject({ read: lines.length, unchanged: lines.length });
      const rows = await fixture.rows<{ key: string; description: string | null }>(
        `SELECT source_key AS key, description FROM venture.startup`,
      );
      const byKey = new Map(rows.map((row) => [row.key, row.description]));
      for (const line of lines) {
        const clean = line.Description.replaceAll('\0', '').replaceAll(/\p{Cs}/gu, '\ufffd');
        const kept = byKey.get(line.key);
        expect(kept ?? '').toBe(
          clean
            .normalize('NFC')
            .trim()
            .replace(/^[\u200b\u2060\ufeff]+|[\u200b\u2060\ufeff]+$/gu, '')
            .trim(),
        );
      }
    });

    test('JSON that parsers disagree on is read or rejected, line by line', async () => {
      const { readdir } = await import('node:fs/promises');
      const cases = join(folder, 'robustness/JSONTestSuite/test_parsing');
      const names = await readdir(cases).catch(() => []);
      const lines: string[] = [];
      for (const name of names) lines.push((await readFile(join(cases, name))).toString('latin1'));
      const report = await fixture.importLines(lines, { continueOnRejected: true });
      expect(sumsAgree(report)).toBe(true);
      expect(report.total.inserted).toBe(0);
    });
  },
  ['robustness/blns/blns.json'],
);
