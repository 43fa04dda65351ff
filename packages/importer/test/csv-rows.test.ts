// Tests docs/spec/import.md 14.9.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openedPerSuite } from '@vcds/test-kit';
import { printReport } from '../src/index.ts';
import { checkMapping } from '../src/mapping/mapping-set.ts';
import { linesOf, mapped, startup } from './mapping-support.ts';
import { nonZero, openImportFixture } from './support.ts';

const named = startup({ Name: '{name}' });

/** A table of `rows` rows with a note each, of which the one at `stray` has a quote too many. */
function withStrayQuote(rows: number, stray: number, closing: number): string {
  const notes = (n: number) => (n === stray ? '"Inc' : n === closing ? 'ends here"' : 'x');
  const lines = Array.from({ length: rows }, (_, index) => `${index + 1},a,${notes(index + 1)}`);
  return `id,name,notes\n${lines.join('\n')}\n`;
}

describe('a row that spans several lines', () => {
  test('is rejected beyond 50 lines, with the line at which its quote opens', async () => {
    const items = await mapped(named, withStrayQuote(200, 3, 103));
    expect(items.filter(({ kind }) => kind === 'fault')).toEqual([
      {
        kind: 'fault',
        location: { file: 0, line: 4 },
        original: ['3', 'a', expect.stringMatching(/^Inc\n4,a,x\n/u)],
        reason:
          'the row spans 101 lines: a quote opens on line 4 in column notes and closes on line 104; ' +
          'csv.rowLinesMax allows 50',
      },
    ]);
    // The rows before and after have their positions in the file.
    expect(items.map(({ location }) => location.line)).toEqual([
      2,
      3,
      4,
      ...Array.from({ length: 97 }, (_, index) => 105 + index),
    ]);
  });

  test('is taken where the mapping allows it', async () => {
    const csv = { rowLinesMax: 101 };
    const items = await mapped({ ...named, csv }, withStrayQuote(200, 3, 103));
    expect(items.filter(({ kind }) => kind === 'fault')).toEqual([]);
    expect(items).toContainEqual({
      kind: 'long',
      location: { file: 0, line: 4 },
      lines: 101,
      column: 'notes',
      quoteLine: 4,
    });
    expect(() => checkMapping('m', { csv: { rowLinesMax: 0 } })).toThrow();
  });

  test('names the quote of its longest cell', async () => {
    const text = `id,name,notes\n1,"a\nb","${'\n'.repeat(60)}"\n`;
    expect(await linesOf(named, text)).toEqual([
      expect.stringContaining('a quote opens on line 3 in column notes and closes on line 63;'),
    ]);
  });

  test.each([
    ['\n', '\n'],
    ['\r\n', '\n'],
    ['\r\n', '\r\n'],
    ['\r', '\r'],
  ])('leaves the lines of the file counted, with ends %j and %j in cells', async (end, inCell) => {
    const lines = ['id,name', `1,"a${inCell}${inCell}b"`, '', '2,b', '3', '4,d'];
    const items = await mapped(named, lines.join(end));
    expect(items.map(({ kind, location }) => [kind, location.line])).toEqual([
      ['line', 2],
      ['line', 6],
      ['fault', 7],
      ['line', 8],
    ]);
  });
});

describe('a table', () => {
  test.each([
    ['id,name\n1,"x\n2,y\n', 'the quote that opens on line 2 in column 2 is not closed.'],
    [
      'id,name,notes\n1,"x\ny",z\n2,"a\nb","c\n3,d,e\n',
      'the quote that opens on line 5 in column 3 is not closed.',
    ],
  ])('with an open quote is an error that names its line: %j', async (text, reason) => {
    await expect(mapped(named, text)).rejects.toThrow(
      `The file does not have the format of test.json: ${reason}`,
    );
  });

  test('whose header has an open quote names that line', async () => {
    const text = `id,name,"notes\n${'1,a,b\n'.repeat(60)}2,a,b"\n`;
    await expect(mapped(named, text)).rejects.toThrow(
      'The header does not have the format of test.json: the row spans 62 lines: a quote opens on line 1 ' +
        'in column 3 and closes on line 62; csv.rowLinesMax allows 50.',
    );
  });

  test.each([
    ['\r', 'id,name\n1,x\n', 'LF, not CR; set csv.lineEnd to "\\n", or omit it.'],
    ['\r\n', 'id,name\n1,x\n', 'LF, not CRLF; set csv.lineEnd to "\\n", or omit it.'],
    ['\n', 'id,name\r1,x\r', 'CR, not LF; set csv.lineEnd to "\\r", or omit it.'],
    ['\r', 'id,name\r\n1,x\r\n', 'CRLF, not CR; set csv.lineEnd to "\\r\\n", or omit it.'],
  ])('with other line ends than %j is an error that says so: %j', async (lineEnd, text, reason) => {
    await expect(mapped({ ...named, csv: { lineEnd } }, text)).rejects.toThrow(
      `The file does not have the format of test.json: its lines end with ${reason}`,
    );
  });

  test('with line ends of two kinds has rows rejected that say so', async () => {
    expect(await linesOf(named, 'id,name\n1,a\r2,b\n3,c\n')).toEqual([
      'the row has 3 cells, the header 2; it contains line ends that differ from those of the first line',
      { key: '3', Name: 'c' },
    ]);
    expect(await linesOf(named, 'id,name\r\n1,a\n2,b\n3,c\r\n4,d\r\n')).toEqual([
      'the row has 4 cells, the header 2; it spans 3 lines because of an unclosed quote or line ' +
        'ends that differ from those of the first line',
      { key: '4', Name: 'd' },
    ]);
  });
});

describe('an import of a table', () => {
  const fixture = openedPerSuite(openImportFixture);

  const mapping = checkMapping('rows.json', { source: 'rows', format: 'csv', ...named });

  test('is rejected for a stray quote in a column that the mapping does not read', async () => {
    const file = join(fixture.folder, 'stray.csv');
    await writeFile(file, withStrayQuote(2000, 5, 1500));
    const report = await fixture.importFile(file, { mapping });
    expect([report.state, nonZero(report.total)]).toEqual([
      'rejected',
      { read: 505, rejected: 1, unapplied: 504 },
    ]);
    expect(await fixture.sideFile('stray.csv.rejected.ndjson')).toMatchObject([{ line: 6 }]);
  });

  test('reports rows of more than five lines, the first ten by their lines', async () => {
    const file = join(fixture.folder, 'long.csv');
    const note = `"${'\n'.repeat(6)}"`;
    const rows = Array.from({ length: 12 }, (_, index) => `${index},a,${note}`);
    await writeFile(file, `id,name,notes\nx,a,"1\n2\n3\n4\n5"\n${rows.join('\n')}\n`);
    const report = await fixture.importFile(file, { mapping });
    expect(report.longRows.rows).toBe(12);
    expect(report.longRows.first).toHaveLength(10);
    expect(report.longRows.first[1]).toEqual({
      file,
      line: 14,
      lines: 7,
      column: 'notes',
      quoteLine: 14,
    });
    expect(report.files).toMatchObject([{ read: 13 }]);
    expect(printReport(report)).toContain(
      `12 rows with a cell that spans several lines:\n` +
        `  ${file}: the row of line 7 spans 7 lines; ` +
        'a quote opens on line 7 in column notes\n',
    );
    expect(printReport(report)).toContain('\n  and 2 rows more\n');
  });
});
