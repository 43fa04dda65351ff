import { Random } from '@vcds/demo-data/random';
import { withClient } from '@vcds/test-kit/bench';
import { httpGet } from '../support/http-get.ts';
import { type Line, type LineRequest, page } from './lines.ts';

const DEPTH_MAX = 100_000;
const ROWS = 25;
/** Each is found with `$skip`, which takes long. */
const VALUES = 10;

/** The line of pages by `$skiptoken` after many records: a tenth of all, at most 100,000. */
export async function readDeepLine(url: string, root: string, apiKey: string): Promise<Line> {
  const counted = await withClient(url, (client) =>
    client.query<{ rows: number }>('SELECT count(*)::int AS rows FROM venture.startup'),
  );
  const depth = Math.min(DEPTH_MAX, Math.floor((counted.rows[0]?.rows ?? 0) / 10));
  const random = new Random('deep pages');
  const requests: LineRequest[] = [];
  for (let value = 0; value < VALUES; value += 1) {
    const since = random.between(1990, 2010);
    const before = page({
      $filter: `Founded ge ${since}`,
      $orderby: 'TotalRaised desc',
      $top: ROWS,
      $skip: depth - ROWS,
    });
    const { path, text } = await linkedPage(root, before, apiKey);
    const last = JSON.parse(text).at(-1);
    const after = { raised: last?.TotalRaised, id: last?.Id };
    requests.push({ path, question: { since, top: ROWS, after } });
  }
  return { title: `25 rows by \`$skiptoken\` after ${depth.toLocaleString('en-US')}`, requests };
}

/** The path below the root of the page to which a page links, and the body of the latter. */
export async function linkedPage(root: string, path: string, apiKey: string) {
  const answer = await httpGet(`${root}${path}`, { headers: { 'X-Api-Key': apiKey } });
  const [, url = ''] = /^<([^>]*)>/.exec(answer.link ?? '') ?? [];
  const next = url.slice(url.indexOf('/v2') + '/v2'.length);
  if (next === '') throw new Error(`${path} (${answer.status}) has no next page: ${answer.text}`);
  return { path: next, text: answer.text };
}
