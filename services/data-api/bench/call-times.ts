import { quantile, table, timed } from '@vcds/test-kit/bench';
import { httpGet } from './http-get.ts';

/** A kind of call: its name, and a function that draws the query of a call. */
export type CallKind = readonly [name: string, draw: () => string];

/** A table of the times of GET calls, one after another, and of the processor time of this process. */
export async function callTimes(
  url: string,
  kinds: readonly CallKind[],
  calls: number,
): Promise<string> {
  const rows: string[][] = [];
  for (const [name, draw] of kinds) {
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i += 1) {
      const query = draw();
      times.push(await timed(() => get(`${url}?${query}`)));
    }
    const { user, system } = process.cpuUsage(before);
    const shares = [0.5, 0.99].map((share) => quantile(times, share));
    const figures = [times[0] ?? 0, ...shares, (user + system) / 1_000 / calls];
    rows.push([name, ...figures.map((ms) => ms.toFixed(1))]);
  }
  return table(['call', 'first ms', 'p50 ms', 'p99 ms', 'processor ms'], rows);
}

async function get(url: string): Promise<void> {
  const { status, text } = await httpGet(url, {});
  if (status !== 200 || text === '[]') throw new Error(`${url}: ${status} ${text}`);
}
