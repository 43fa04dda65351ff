/** The records that exist before the history, and those of new startups and funds. */
import type { ImportLine } from '@vcds/importer';
import { type Fund, fundLine, fundOf } from './funds.ts';
import { holdingLines } from './holdings.ts';
import { companyNewsLine, newsLines, referenceLines } from './news.ts';
import { angelLine, peopleLines, positionLine, teamOf } from './people.ts';
import { type Company, type Stamp, stampOf } from './profile.ts';
import { Random } from './random.ts';
import { investorLines, roundLines, valuationLines } from './round-lines.ts';
import type { DatasetSpec } from './spec.ts';
import { type Startup, startupLine, startupOf } from './startups.ts';

/** The lines of one type of a startup or fund that the source noticed on a day. */
type Part<C> = (company: C, stamp: Stamp, day: number) => ImportLine[];

const TEAM: readonly Part<Company>[] = [
  (company, stamp, day) => peopleLines(company, teamOf(company, day), stamp),
  (company, stamp, day) => teamOf(company, day).map((each) => positionLine(company, each, stamp)),
];
const PARTS: { startup: readonly Part<Startup>[]; fund: readonly Part<Fund>[] } = {
  startup: [
    (startup, stamp) => [startupLine(startup, stamp)],
    ...TEAM,
    ...[roundLines, investorLines, valuationLines, holdingLines, referenceLines, newsLines],
  ],
  fund: [
    (fund, stamp) => [fundLine(fund, stamp)],
    ...TEAM,
    (fund, stamp, day) =>
      new Random(fund.spec.seed, 'fund news', fund.index).chance(0.35)
        ? [companyNewsLine(fund, 0, day, stamp)]
        : [],
  ],
};

const linesOf = <C extends Company>(company: C, part: Part<C>, day: number): ImportLine[] =>
  part(company, stampOf(day, company.index * 37), day);

/** All lines of a fund with its team, or of a startup with its team, rounds and other records. */
export const fundLines = (fund: Fund, day: number): ImportLine[] =>
  PARTS.fund.flatMap((part) => linesOf(fund, part, day));
export const startupLines = (startup: Startup, day: number): ImportLine[] =>
  PARTS.startup.flatMap((part) => linesOf(startup, part, day));

/** The number of startups or funds that are in memory at a time. */
const BLOCK_RECORDS = 10_000;

/**
 * Angel investors, then funds, then startups; no line refers to a later one. In each block of
 * records, the lines of one type are together: the importer applies them faster.
 */
export function* baseLines(spec: DatasetSpec): Iterable<ImportLine> {
  const { angels, historyDay } = spec;
  for (let angel = 0; angel < angels; angel += 1) {
    yield angelLine(spec, angel, stampOf(historyDay - 2000 + (angel % 1900), angel));
  }
  // The source exists for eighteen years; it noticed older records at its beginning.
  const noticed = ({ foundedDay, index }: Company) =>
    Math.min(Math.max(foundedDay + 30 + (index % 300), historyDay - 6570), historyDay - 1);
  yield* inBlocks(spec.fund.base, PARTS.fund, (index) => fundOf(spec, index), noticed);
  yield* inBlocks(spec.startup.base, PARTS.startup, (index) => startupOf(spec, index), noticed);
}

function* inBlocks<C extends Company>(
  count: number,
  parts: readonly Part<C>[],
  make: (index: number) => C,
  noticed: (company: C) => number,
): Iterable<ImportLine> {
  for (let start = 0; start < count; start += BLOCK_RECORDS) {
    const length = Math.min(BLOCK_RECORDS, count - start);
    const block = Array.from({ length }, (_, at) => make(start + at));
    for (const part of parts) {
      for (const company of block) yield* linesOf(company, part, noticed(company));
    }
  }
}
