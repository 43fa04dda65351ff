// Tests docs/spec/addresses.md 1.8: the page that matches a list, without a browser.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvText } from '../site/.vitepress/theme/explore/figures.ts';
import {
  batchesOf,
  columnsOf,
  itemsOf,
  type MatchItem,
  titlesOf,
} from '../site/.vitepress/theme/match/items.ts';
import { readList, rowsOf } from '../site/.vitepress/theme/match/list-file.ts';
import {
  type MatchResult,
  pageOf,
  resultFile,
  resultRows,
} from '../site/.vitepress/theme/match/results.ts';
import { batch, run } from '../site/.vitepress/theme/match/run.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const list = (text: string) => readList('list.csv', bytes(text));
const itemsIn = (text: string) => {
  const file = list(text);
  const { columns, hasTitles } = columnsOf(file);
  return itemsOf(file, columns, hasTitles);
};

describe('a file', () => {
  test('has the cells that were written, with any delimiter', () => {
    const cell = fc
      .string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r', ' ', '1') })
      .filter((text) => !/^[\t\r]/.test(text));
    const row = fc.array(cell, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(row), fc.constantFrom(',', ';', '\t'), (rows, delimiter) => {
        expect(rowsOf(csvText(rows, delimiter), delimiter)).toEqual(rows);
      }),
    );
  });

  const rows = [
    ['Name', 'Ort'],
    ['Müller', 'Köln'],
  ];
  const lines = 'Name;Ort\r\n\r\nMüller;Köln';
  test.each([
    ['UTF-8', bytes(lines)],
    ['UTF-8 with its mark', bytes(`\uFEFF${lines}`)],
    ['UTF-16', Buffer.from(`\uFEFF${lines.replaceAll(';', '\t')}`, 'utf16le')],
    ['Windows-1252', Buffer.from(lines, 'latin1')],
    ['a line for Excel', bytes(`sep=;\n${lines}`)],
  ])('is read in %s, and its rows have the numbers of a spreadsheet', (name, file) => {
    const read = readList('list.csv', file);
    expect(read.rows.map(({ cells }) => cells)).toEqual(rows);
    expect(read.rows[1]?.number).toBe(name === 'a line for Excel' ? 4 : 3);
  });

  test.each([
    ['more than 20,000 rows', bytes('a\n'.repeat(20_002)), 'Split it'],
    ['more than 10 MB', new Uint8Array(10_000_001), 'split it'],
    ['too many columns', bytes(','.repeat(501)), 'more than 500 columns'],
    ['an open quotation mark', bytes('a\n"b\nc'), 'Row 2'],
    ['a workbook', Uint8Array.of(0x50, 0x4b, 3, 4), 'Save the sheet as CSV'],
    ['no row', bytes(' \r\n,\n'), 'empty'],
    ['binary content', Uint8Array.of(65, 0, 66), 'no text file'],
  ])('with %s is an error that says what to do', (_, file, message) => {
    expect(() => readList('list.csv', file)).toThrow(message);
  });

  test('of the largest size is read', () => {
    expect(list(`name\n${'a\n'.repeat(20_000)}`).rows).toHaveLength(20_001);
  });
});

describe('the columns', () => {
  test.each([
    ['Company,LinkedIn URL,Web Site,Country', { name: 0, identifier: 1, website: 2, country: 3 }],
    ['Id;Account Name;Account Owner;Domain', { name: 1, website: 3, country: -1 }],
    ['Firma\tLand\tWebseite', { name: 0, country: 1, website: 2 }],
    ['Acme Ltd,acme.example', { name: 0, website: 1, country: -1 }],
    ['Name,x,y\nAcme,https://a.example/b,linkedin.com/company/a', { website: 1, identifier: 2 }],
  ])('of %j are recognised', (text, columns) => {
    expect(columnsOf(list(text)).columns).toMatchObject(columns);
  });

  test('without titles have numbers, and the first row is a company', () => {
    const file = list('Acme Ltd,acme.example');
    expect(columnsOf(file).hasTitles).toBe(false);
    expect(titlesOf(file, false)).toEqual(['Column 1', 'Column 2']);
    expect(itemsIn('Acme Ltd,acme.example')).toHaveLength(1);
  });
});

describe('the items', () => {
  test('have the values of their row, and bare identifiers the scheme of their column', () => {
    const [item, blank] = itemsIn('Name,LinkedIn,Country\n Acme ,"acme; x:acme",FR\n,,FR');
    expect(item?.item).toEqual({
      ...{ ref: '2', name: 'Acme', country: 'FR' },
      identifiers: ['linkedin:acme', 'x:acme'],
    });
    expect([item?.isSent, blank?.isSent]).toEqual([true, false]);
  });

  test('never have a value that the call would reject, and say so', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `x:${index}`).join(';');
    const [item] = itemsIn(`Name,Website,Identifier\n${'n'.repeat(201)},a.example,"${ids}"`);
    expect(item?.item).toMatchObject({ website: 'a.example' });
    expect(item?.item).not.toHaveProperty('name');
    expect(item?.item.identifiers).toHaveLength(10);
    expect(item?.problems.map(({ member }) => member)).toEqual([
      ...['identifiers', 'identifiers', 'name'],
    ]);
  });

  test('are each in one batch, in their order, within the bounds of a body', () => {
    const site = fc.integer({ min: 0, max: 1_990 }).map((length) => `a.${'é'.repeat(length)}`);
    fc.assert(
      fc.property(fc.array(site, { maxLength: 250, size: 'max' }), (sites) => {
        const items = itemsIn(`Website\n${sites.join('\n')}`);
        const batches = batchesOf(items);
        expect(batches.flat().map(({ ref }) => ref)).toEqual(items.map(({ item }) => item.ref));
        for (const each of batches) {
          expect(each.length).toBeLessThanOrEqual(100);
          expect(bytes(JSON.stringify(each)).length).toBeLessThan(256 * 1_024);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('the calls', () => {
  /** A fetcher that answers with the responses one after the other, and its calls. */
  function answering(...responses: readonly Response[]) {
    const asked: { key: string | null; max: string | null; items: readonly MatchItem[] }[] = [];
    const fetcher: typeof fetch = (_url, init) => {
      const headers = new Headers(init?.headers);
      asked.push({
        ...{ key: headers.get('Idempotency-Key'), max: headers.get('X-Credits-Max') },
        items: JSON.parse(String(init?.body)),
      });
      return Promise.resolve(responses[asked.length - 1] ?? Response.json([]));
    };
    return { asked, fetcher };
  }
  const busy = (seconds: string) =>
    Response.json(
      { error: { code: 'too_many_requests', message: 'Later.' } },
      { status: 429, headers: { 'Retry-After': seconds } },
    );
  const batches = [[{ ref: '2' }, { ref: '3' }], [{ ref: '4' }]].map(batch);
  const running = (fetcher: typeof fetch, waits: number[]) => ({
    ...{ key: 'k', signal: new AbortController().signal, fetcher },
    ...{ onAnswer: () => undefined, onWait: (seconds: number) => waits.push(seconds) },
    wait: () => Promise.resolve(),
  });

  test('cost at most a credit for each item, and a repeated one has the same idempotency key', async () => {
    const { asked, fetcher } = answering(busy('7'));
    const waits: number[] = [];
    await run(batches, running(fetcher, waits));
    expect(asked.map(({ max }) => max)).toEqual(['2', '2', '1']);
    expect(asked.map(({ items }) => items[0]?.ref)).toEqual(['2', '2', '4']);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(2);
    expect([asked[0]?.key, waits]).toEqual([asked[1]?.key, [7]]);
  });

  test.each([
    ['that passes too late', [busy('3600')], 1],
    ['that does not pass', Array.from({ length: 9 }, () => busy('1')), 4],
    ['that needs the reader', [Response.json({ error: { code: 'x' } }, { status: 402 })], 1],
  ])('end with an error %s', async (_, responses, calls) => {
    const { asked, fetcher } = answering(...responses);
    await expect(run(batches, running(fetcher, []))).rejects.toThrow();
    expect(asked).toHaveLength(calls);
  });

  test('are no more after a stop', async () => {
    const { asked, fetcher } = answering();
    const stop = new AbortController();
    const stopped = { ...running(fetcher, []), signal: stop.signal, onAnswer: () => stop.abort() };
    await expect(run(batches, stopped)).rejects.toThrow('aborted');
    expect(asked).toHaveLength(1);
  });
});

describe('the results', () => {
  const record = (Id: string, Name: string, Website: string | null) => ({
    ...{ Id, Name, Website, Type: 'startup', Location: null, Country: ['France'], Score: 0.9 },
  });
  const result = (ref: string, parts: Partial<MatchResult>): MatchResult => ({
    ...{ ref, verdict: 'none', reason: 'nothing-found', explanation: 'None.', record: null },
    ...{ candidates: [], problems: [], ...parts },
  });
  const text = 'Name;Note\n=Acme;a\nBolt;"+1;=x"\n;b\nCore;c';

  test('stand beside their rows in a file without formulas, with the record that the reader chose', () => {
    const results = [
      result('2', { verdict: 'match', record: record('1', '@evil', 'https://a.example') }),
      result('3', { verdict: 'candidates', candidates: [record('2', 'Bolt', null)] }),
    ];
    const rows = resultRows(
      itemsIn(text),
      new Map(results.map((each) => [each.ref, each])),
      new Map([['3', '2']]),
    );
    const file = resultFile(list(text), true, rows);
    const [titles, ...lines] = rowsOf(file.slice(1), ';');
    expect(file.startsWith('\uFEFF')).toBe(true);
    expect(titles?.slice(0, 5)).toEqual(
      'Name,Note,Match: Verdict,Match: Reason,Match: Id'.split(','),
    );
    expect(lines.map((cells) => cells.slice(0, 5))).toEqual([
      ["'=Acme", 'a', 'match', 'nothing-found', '1'],
      ['Bolt', "'+1;=x", 'chosen', 'nothing-found', '2'],
      ['', 'b', 'none', 'nothing-readable', ''],
    ]);
    expect(lines.flat().filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
  });

  test('lead to pages of the web only', () => {
    expect(pageOf(record('1', 'a', 'javascript:alert(1)'))).toBeUndefined();
    expect(pageOf(record('1', 'a', 'https://a.example'))).toBe('https://a.example');
  });
});
