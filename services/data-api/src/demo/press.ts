/** News items and references: what is written about companies, by publishers that do not exist. */
import type { UpsertLine } from '@vcds/importer';
import { dateText, instantText } from './calendar.ts';
import { type Round, stageWords } from './funding.ts';
import { type FundMandate, mandateOf } from './funds.ts';
import { domainLabel, fundName } from './names.ts';
import type { WorldPlan } from './plan.ts';
import { drawCity, sectorAt } from './profile.ts';
import { Random, streams, Weighted } from './random.ts';
import { headlineAmount } from './round-lines.ts';
import { fundKey, type Stamp, stampOf, startupKey } from './stamp.ts';
import type { Startup } from './startups.ts';
import { publishers } from './words/funds.ts';

/** What a piece of news is about, and how it is told. */
interface Story {
  readonly key: string;
  readonly title: string;
  readonly startup: number | null;
  readonly fund: number | null;
}

function newsLine(random: Random, story: Story, day: number, stamp: Stamp): UpsertLine<'news'> {
  const publisher = random.pick(publishers);
  return {
    op: 'upsert',
    type: 'news',
    ...stamp,
    key: story.key,
    Title: story.title,
    Url: random.chance(0.97)
      ? `https://${domainLabel(publisher)}.example/${dateText(day)}/${domainLabel(story.title)}`
      : null,
    Publisher: random.chance(0.97) ? publisher : null,
    Date: random.chance(0.98) ? dateText(day) : null,
    Startup: story.startup === null ? null : { key: startupKey(story.startup) },
    Fund: story.fund === null ? null : { key: fundKey(story.fund) },
  };
}

/** News of a round; it names the fund that led, or that took part, where there is one. */
export function roundNewsLine(plan: WorldPlan, startup: Startup, round: Round): UpsertLine<'news'> {
  const random = new Random(plan.seed, streams.news, startup.index, round.number);
  const funds = round.participants.filter(({ type }) => type === 'fund');
  const leader = funds.find(({ lead }) => lead);
  const fund = leader ?? funds[0];
  const named = fund === undefined || random.chance(0.3) ? null : fund.index;
  const who = named === null ? '' : fundNameOf(plan, named);
  const amount = headlineAmount(round);
  const stage = stageWords(round.stage);
  const title = random.pick([
    `${startup.name} closes ${amount === null ? 'an undisclosed' : `a ${amount}`} ${stage} round${
      who === '' ? '' : leader === undefined ? ` with ${who}` : ` led by ${who}`
    }`,
    `${startup.name} raises ${amount ?? 'an undisclosed sum'}${who === '' ? '' : `, ${who} joins`}`,
    `${amount ?? 'Undisclosed'} ${stage} round for ${startup.name}`,
  ]);
  const day = Math.min(round.day + random.below(3), plan.today - 1);
  return newsLine(
    random,
    { key: `news-${startup.index}-${round.number}`, title, startup: startup.index, fund: named },
    day,
    stampOf(day, random.uint32()),
  );
}

/** Other news of a company, by number. */
export function companyNewsLine(
  plan: WorldPlan,
  startup: Startup,
  number: number,
  day: number,
  stamp: Stamp,
): UpsertLine<'news'> {
  const random = new Random(plan.seed, streams.news, startup.index, 0x100 + number);
  const { products, customers } = sectorAt(startup.sector);
  const title = random.pick([
    `${startup.name} opens an office in ${drawCity(random).name}`,
    `How ${startup.name} sells ${random.pick(products)} to ${random.pick(customers)}`,
    `${startup.name} puts ${random.pick(products)} to the test`,
    `What ${random.pick(customers)} make of ${startup.name}`,
  ]);
  const story = { title, startup: startup.index, fund: null };
  return newsLine(random, { key: `story-${startup.index}-${number}`, ...story }, day, stamp);
}

/** News of a fund, by number. */
export function fundNewsLine(
  plan: WorldPlan,
  fund: number,
  number: number,
  day: number,
  stamp: Stamp,
): UpsertLine<'news'> {
  const random = new Random(plan.seed, streams.news, fund, 0x200 + number);
  const name = fundNameOf(plan, fund);
  const title = random.pick([
    `${name} opens an office in ${drawCity(random).name}`,
    `${name} sets out what it looks for`,
    `${name} names a new partner`,
    `A year with ${name}`,
  ]);
  const story = { title, startup: null, fund };
  return newsLine(random, { key: `fund-story-${fund}-${number}`, ...story }, day, stamp);
}

const storyCounts = new Weighted<number>([
  [0, 84],
  [1, 12],
  [2, 4],
]);

/** What else was written about a company by a day. */
export function* companyNewsLines(
  plan: WorldPlan,
  startup: Startup,
  day: number,
): Iterable<UpsertLine<'news'>> {
  const stories = storyCounts.draw(new Random(plan.seed, streams.news, startup.index, 0x300));
  for (let number = 0; number < stories; number += 1) {
    yield companyNewsLine(plan, startup, number, day, stampOf(day, startup.index * 37));
  }
}

/** What was written about a fund by a day. */
export function* fundNewsLines(
  plan: WorldPlan,
  { index }: FundMandate,
  day: number,
): Iterable<UpsertLine<'news'>> {
  if (new Random(plan.seed, streams.news, index, 0x400).chance(0.35)) {
    yield fundNewsLine(plan, index, 0, day, stampOf(day, index * 37));
  }
}

function fundNameOf(plan: WorldPlan, fund: number): string {
  return fundName(plan, fund, mandateOf(plan, fund).type).name;
}

const referenceCounts = new Weighted<number>([
  [0, 88],
  [1, 4],
  [2, 4],
  [3, 2],
  [4, 2],
]);
const referencedFields = ['Founded', 'MembersCount', 'TotalRaised', 'Addresses', 'OperatingStatus'];
const factSources: readonly (readonly [words: string, site: string])[] = [
  ['Company site', ''],
  ['Register of Invented Companies', 'register.example'],
  ['Founder, by letter', ''],
  ['Ledger & Lantern', 'ledger-lantern.example'],
  ['Demonstration desk', 'demonstration.example'],
];

/** Where single facts about a startup come from; most startups have none. */
export function* referenceLines(
  plan: WorldPlan,
  { index, label }: Startup,
  day: number,
): Iterable<UpsertLine<'reference'>> {
  const stamp = stampOf(day, index * 37);
  const random = new Random(plan.seed, streams.reference, index);
  const count = referenceCounts.draw(random);
  for (let number = 0; number < count; number += 1) {
    const [words, site] = random.pick(factSources);
    const host = site === '' ? `${label}.example` : site;
    const confidence = random.pick(['confirmed', 'estimated', null]);
    yield {
      op: 'upsert',
      type: 'reference',
      ...stamp,
      key: `reference-${index}-${number}`,
      Startup: { key: startupKey(index) },
      Field: referencedFields[(index + number) % referencedFields.length] ?? 'Founded',
      Source: words,
      Url: random.chance(0.8) ? `https://${host}/about` : null,
      RetrievedAt: random.chance(0.9)
        ? instantText(Math.min(day + random.below(200), plan.today - 1), 43_200)
        : null,
      Confidence: confidence,
    };
  }
}
