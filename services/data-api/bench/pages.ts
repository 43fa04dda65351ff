/**
 * Measures how long reading the facts of a page of 2 MB delays the event loop: read by a call in the
 * process, and by the thread of `/find`.
 *
 * Run with `npm run bench -- pages`. Options: `--reads=N` of each page (20).
 */
import { readCompanyPage } from '@vcds/company-page';
import { benchOptions, quantile, say, table } from '@vcds/test-kit/bench';
import { PageReader } from '../src/find/page-reader.ts';

const LENGTH = 2 * 1024 * 1024;
const fill = (unit: string, length = LENGTH) => unit.repeat(Math.floor(length / unit.length));
const PAGES: Readonly<Record<string, string>> = {
  'misnested tags': fill('<b><i></b></i>'),
  paragraphs: fill('<p>We were founded in 2014 and serve you since.</p>'),
  microdata: fill('<p itemscope itemprop=a itemtype=b>x'),
  text: `<title>Acme</title>${fill('Widgets for all. ')}`,
  'a usual page, 100 KB': `<title>Acme</title>${fill('<p><a href="/x">Widgets</a> for all.</p>', 100_000)}`,
};

const { reads } = benchOptions({ reads: 20 });
const reader = new PageReader({});
const { signal } = new AbortController();
const inProcess = async (html: string) => readCompanyPage(inputOf(html));
const inThread = (html: string) => reader.read(inputOf(html), 'bench', signal);
await inThread('<title>Starts the thread</title>');
const rows: unknown[][] = [];
for (const [name, html] of Object.entries(PAGES)) {
  const cells = [await delays(inProcess, html), await delays(inThread, html)];
  rows.push([name, ...cells.flat()]);
}
await reader.close();
say(table(['Page', 'in the process, median', 'worst', 'in the thread, median', 'worst'], rows));

/** The median and the worst of the longest pauses of the event loop, one for each read. */
async function delays(read: (html: string) => Promise<unknown>, html: string): Promise<string[]> {
  const longest: number[] = [];
  for (let k = 0; k < reads; k++) {
    let turnedMs = performance.now();
    let pauseMs = 0;
    const turn = () => {
      pauseMs = Math.max(pauseMs, performance.now() - turnedMs);
      turnedMs = performance.now();
    };
    const timer = setInterval(turn, 1);
    await read(html);
    turn();
    clearInterval(timer);
    longest.push(pauseMs);
  }
  return [0.5, 1].map((share) => `${quantile(longest, share).toFixed(1)} ms`);
}

function inputOf(html: string) {
  return { html, url: 'https://acme.example/', now: new Date() };
}
