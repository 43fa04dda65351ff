import { Random } from '@vcds/demo-data/random';
import { withClient } from '@vcds/test-kit/bench';
import { startApi } from '../data-api.ts';
import { httpGet } from '../http-get.ts';
import { type Line, type LineRequest, page } from './lines.ts';

const DEPTH_MAX = 100_000;
const ROWS = 25;
/** Each is found with `$skip`, which takes long. */
const VALUES = 10;

/** The line of pages by `$skiptoken` after many records: a tenth of all, at most 100,000. */
export async function readDeepLine(url: string): Promise<Line> {
  const counted = await withClient(url, (client) =>
    client.query<{ rows: number }>('SELECT count(*)::int AS rows FROM venture.startup'),
  );
  const depth = Math.min(DEPTH_MAX, Math.floor((counted.rows[0]?.rows ?? 0) / 10));
  const random = new Random('deep pages');
  const api = await startApi({ connectionString: url, connections: 1, statementMsMax: 60_000 });
  try {
    const requests: LineRequest[] = [];
    for (let value = 0; value < VALUES; value += 1) {
      requests.push(await requestAfter(api.url, random.between(1990, 2010), depth));
    }
    return { title: `25 rows by \`$skiptoken\` after ${depth.toLocaleString('en-US')}`, requests };
  } finally {
    await api.close();
  }
}

/** The page to which the page before it links, and the last record before it. */
async function requestAfter(root: string, since: number, depth: number): Promise<LineRequest> {
  const before = page({
    $filter: `Founded ge ${since}`,
    $orderby: 'TotalRaised desc',
    $top: ROWS,
    $skip: depth - ROWS,
  });
  const { link = '', text } = await httpGet(`${root}${before}`, {});
  const [, path = ''] = /^<[^>]*?\/v2([^>]*)>/.exec(link) ?? [];
  const last = JSON.parse(text).at(-1);
  if (path === '' || last?.TotalRaised == null) throw new Error(`${before} has no next page.`);
  const after = { raised: last.TotalRaised, id: last.Id };
  return { path, question: { since, top: ROWS, after } };
}
