import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const INDUSTRIES = ['Fintech', 'AI', 'SaaS', 'Health', 'Energy', 'Web', 'Mobility', 'Biotech'];
const ENDINGS = ['Labs', 'Health', 'Systems', 'Works', 'Media', 'Robotics', 'Foods'];
const CLIENTS = ['hospitals', 'banks', 'shops', 'utilities', 'schools', 'farms'];
const ROWS_AT_ONCE = 500;

/** Writes startups as NDJSON, the same ones each time, from a number on. */
export async function writeStartups(path: string, startups: number, first = 0): Promise<void> {
  await writeLines(path, startups, (n) => startupLine(first + n));
}

/** Writes lines that are all rejected. */
export async function writeRejects(path: string, lines: number): Promise<void> {
  await writeLines(path, lines, (n) => `${startupLine(n).slice(0, -1)},"Nmae":"misspelt"}`);
}

async function writeLines(
  path: string,
  lines: number,
  lineOf: (n: number) => string,
): Promise<void> {
  function* blocks(): Generator<string> {
    for (let from = 0; from < lines; from += ROWS_AT_ONCE) {
      const rows = Math.min(ROWS_AT_ONCE, lines - from);
      yield Array.from({ length: rows }, (_, index) => `${lineOf(from + index)}\n`).join('');
    }
  }
  await pipeline(Readable.from(blocks()), createWriteStream(path));
}

/** The line of one startup; its key is `k` and the number. */
export function startupLine(n: number): string {
  const mixed = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  const pick = (from: readonly string[], shift: number) => from[(mixed >>> shift) % from.length];
  const ending = pick(ENDINGS, 3);
  return JSON.stringify({
    op: 'upsert',
    type: 'startup',
    source: 'bench',
    key: `k${n}`,
    Name: `${mixed.toString(36)} ${ending}`,
    Website: `https://www.${mixed.toString(36)}.example/`,
    Description:
      `${mixed.toString(36)} makes software for ${pick(CLIENTS, 5)} and ${pick(CLIENTS, 9)}, ` +
      `used by ${mixed % 9000} teams to do in minutes what took them days.`,
    Founded: 1990 + (mixed % 34),
    TotalRaised: mixed % 90_000_000,
    Tags: [pick(INDUSTRIES, 7), `Tag ${mixed % 500}`],
    Addresses: [
      {
        City: `City ${mixed % 3000}`,
        Region: `Region ${mixed % 300}`,
        Country: `Country ${mixed % 60}`,
      },
    ],
    MembersCount: mixed % 3000,
    OperatingStatus: 'Active',
  });
}
