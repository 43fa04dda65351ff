/** News and references; their publishers are invented. */
import type { ImportLine } from '@vcds/importer';
import { dateOf, instantOf } from './days.ts';
import { productOf } from './descriptions.ts';
import { fundOf } from './funds.ts';
import { domainLabel } from './names.ts';
import { type Company, refTo, rounded, type Stamp, stampOf, upsert } from './profile.ts';
import { Random, weighted } from './random.ts';
import type { Round } from './rounds.ts';
import type { Startup } from './startups.ts';
import { drawCity } from './words/places.ts';
import { PUBLISHERS, stageInText } from './words/tables.ts';

interface Article {
  readonly key: string;
  readonly title: string;
  readonly about: readonly (Company | null)[];
}

function newsLine(random: Random, { key, title, about }: Article, day: number, stamp: Stamp) {
  const publisher = random.pick(PUBLISHERS);
  const url = `https://${domainLabel(publisher)}.example/${dateOf(day)}/${domainLabel(title)}`;
  const refOf = (kind: Company['kind']) => {
    const company = about.find((each) => each?.kind === kind);
    return company ? refTo(kind, company.index) : null;
  };
  return {
    ...upsert('news', { ...stamp, key }),
    Title: title,
    Url: random.maybe(0.97, url),
    Publisher: random.maybe(0.97, publisher),
    Date: random.maybe(0.98, dateOf(day)),
    Startup: refOf('startup'),
    Fund: refOf('fund'),
  };
}

/** News of a round; some name the fund that led it or took part. */
export function roundNewsLine(startup: Startup, round: Round): ImportLine {
  const { spec, index, name } = startup;
  const random = new Random(spec.seed, 'round news', index, round.number);
  const funds = round.participants.filter(({ type }) => type === 'fund');
  const leader = funds.find(({ lead }) => lead);
  const named = random.maybe(0.7, leader ?? funds[0] ?? null);
  const fund = named === null ? null : fundOf(spec, named.index);
  const investor = fund === null ? '' : ` ${leader ? 'led by' : 'with'} ${fund.name}`;
  const sum = headlineAmount(round);
  const stage = stageInText(round.stage);
  const title = random.pick([
    `${name} closes ${sum === null ? 'an undisclosed' : `a ${sum}`} ${stage} round${investor}`,
    `${name} raises ${sum ?? 'an undisclosed sum'} in a round${investor}`,
  ]);
  const day = Math.min(round.day + random.below(3), spec.today - 1);
  const article = { key: `news-${index}-${round.number}`, title, about: [startup, fund] };
  return newsLine(random, article, day, stampOf(day, random.below(57_600)));
}

/** The amount of a round as in a headline, such as `$5.2M`; null if it is undisclosed. */
function headlineAmount({ amount, dollars }: Round): string | null {
  if (amount === null) return null;
  const [unit, letter] = dollars >= 1e9 ? [1e9, 'B'] : dollars >= 1e6 ? [1e6, 'M'] : [1e3, 'K'];
  return `$${Math.max(0.1, rounded((dollars / unit) * 10, 2) / 10)}${letter}`;
}

/** Other news of a startup or fund, by number. */
export function companyNewsLine(company: Company, number: number, day: number, stamp: Stamp) {
  const { spec, kind, index, name } = company;
  const random = new Random(spec.seed, kind, 'news', index, number);
  const product = productOf(random);
  const title = random.pick([
    `${name} opens an office in ${drawCity(random).name}`,
    `A year with ${name}`,
    ...(kind === 'fund'
      ? [`${name} publishes its investment criteria`, `${name} names a new partner`]
      : [`How ${name} sells ${product}`, `${name} tests ${product}`]),
  ]);
  const article = { key: `${kind}-news-${index}-${number}`, title, about: [company] };
  return newsLine(random, article, day, stamp);
}

const drawNewsCount = weighted([84, 12, 4].entries());

/** The news of a startup before the history: of one round in five, and others. */
export function newsLines(startup: Startup, stamp: Stamp, day: number): ImportLine[] {
  const random = new Random(startup.spec.seed, 'news', startup.index);
  const ofRounds = startup.rounds.filter(() => random.chance(0.2));
  return [
    ...ofRounds.map((round) => roundNewsLine(startup, round)),
    ...Array.from({ length: drawNewsCount(random) }, (_, number) =>
      companyNewsLine(startup, number, day, stamp),
    ),
  ];
}

const drawReferenceCount = weighted([88, 4, 4, 2, 2].entries());
const FIELDS = ['Founded', 'MembersCount', 'TotalRaised', 'Addresses', 'OperatingStatus'];
const SOURCES = ['Company site', 'Register of Invented Companies', 'Ledger & Lantern'];

/** The sources of single fields of a startup; most startups have none. */
export function referenceLines(startup: Startup, stamp: Stamp, day: number): ImportLine[] {
  const { spec, index, label } = startup;
  const random = new Random(spec.seed, 'references', index);
  return Array.from({ length: drawReferenceCount(random) }, (_, number) => {
    const source = random.pick(SOURCES);
    const host = source === SOURCES[0] ? label : domainLabel(source);
    const retrieved = Math.min(day + random.below(200), spec.today - 1);
    return {
      ...upsert('reference', { ...stamp, key: `reference-${index}-${number}` }),
      Startup: refTo('startup', index),
      Field: FIELDS[(index + number) % FIELDS.length] ?? '',
      Source: source,
      Url: random.maybe(0.8, `https://${host}.example/about`),
      RetrievedAt: random.maybe(0.9, instantOf(retrieved, 43_200)),
      Confidence: random.pick(['confirmed', 'estimated', null]),
    };
  });
}
