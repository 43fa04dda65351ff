/** The world as it stands when the history begins. */
import type { ImportLine } from '@vcds/importer';
import { investorLines, roundLines, roundNewsLines, valuationLines } from './base-rounds.ts';
import { fundLine } from './fund-lines.ts';
import { type FundMandate, fundFoundedDay, mandateOf } from './funds.ts';
import { holdingLines } from './holdings.ts';
import { partnerLines, partnerPostLines } from './partners.ts';
import { angelLine } from './people.ts';
import type { WorldPlan } from './plan.ts';
import { companyNewsLines, fundNewsLines, referenceLines } from './press.ts';
import { stampOf } from './stamp.ts';
import { type Startup, startupLine, startupOf } from './startups.ts';
import { earlyHireLines, earlyHirePostLines, founderLines, founderPostLines } from './team.ts';

/** A startup or fund, and the day on which the source noticed it. */
interface Noticed<Subject> {
  readonly subject: Subject;
  readonly day: number;
}

/** Lines of one type that belong to a startup or fund. */
type Part<Subject> = (plan: WorldPlan, subject: Subject, day: number) => Iterable<ImportLine>;

const fundParts: readonly Part<FundMandate>[] = [
  (plan, fund, day) => [fundLine(plan, fund, stampOf(day, fund.index * 37))],
  partnerLines,
  partnerPostLines,
  fundNewsLines,
];

const startupParts: readonly Part<Startup>[] = [
  (plan, startup, day) => [startupLine(plan, startup, stampOf(day, startup.index * 37))],
  founderLines,
  earlyHireLines,
  founderPostLines,
  earlyHirePostLines,
  roundLines,
  investorLines,
  valuationLines,
  holdingLines,
  referenceLines,
  roundNewsLines,
  companyNewsLines,
];

/** So many startups or funds are held in memory at a time. */
const blockRecords = 10_000;

/**
 * Angels, then funds, then startups. Lines of one type stand together, which the importer applies
 * faster, as far as a block of records goes; no line refers to a later one.
 */
export function* baseLines(plan: WorldPlan): Iterable<ImportLine> {
  for (let angel = 0; angel < plan.angels; angel += 1) {
    yield angelLine(plan, angel, stampOf(plan.historyDay - 2000 + (angel % 1900), angel));
  }
  yield* inBlocks(plan, plan.baseFunds, fundParts, (index) => {
    const day = noticed(plan, fundFoundedDay(plan, index) + 60);
    return { subject: mandateOf(plan, index), day };
  });
  yield* inBlocks(plan, plan.baseStartups, startupParts, (index) => {
    const subject = startupOf(plan, index);
    return { subject, day: noticed(plan, subject.path.foundedDay + 30 + (index % 300)) };
  });
}

/** The source came into being eighteen years before the history; older records were there then. */
function noticed(plan: WorldPlan, day: number): number {
  return Math.min(Math.max(day, plan.historyDay - 6570), plan.historyDay - 1);
}

function* inBlocks<Subject>(
  plan: WorldPlan,
  count: number,
  parts: readonly Part<Subject>[],
  make: (index: number) => Noticed<Subject>,
): Iterable<ImportLine> {
  for (let start = 0; start < count; start += blockRecords) {
    const length = Math.min(blockRecords, count - start);
    const block = Array.from({ length }, (_, place) => make(start + place));
    for (const part of parts) {
      for (const { subject, day } of block) yield* part(plan, subject, day);
    }
  }
}

/** A fund with its team and what is written about it. */
export function* fundLines(plan: WorldPlan, fund: number, day: number): Iterable<ImportLine> {
  const mandate = mandateOf(plan, fund);
  for (const part of fundParts) yield* part(plan, mandate, day);
}

/** A startup with its people, rounds and all that hangs on them. */
export function* startupLines(
  plan: WorldPlan,
  startup: Startup,
  day: number,
): Iterable<ImportLine> {
  for (const part of startupParts) yield* part(plan, startup, day);
}
