/** The titles of entries, as in a news ticker (docs/spec/activity.md 21.3). */
import { stages } from '@vcds/venture-model';

/** The facts from which the title, the amount and the link of an entry derive. */
export interface ActivityFacts {
  /** The name of the subject. */
  readonly name: string;
  /** The name of the company or person, or the title of the article. */
  readonly object?: string;
  /** Links, the best first. */
  readonly urls: readonly (string | null)[];
  /** Whole US dollars. */
  readonly amount?: number | null;
  readonly stage?: number | null;
  /** As the source wrote it. */
  readonly series?: string | null;
  readonly investors?: InvestorFacts;
  readonly confirmed?: boolean;
  readonly estimated?: boolean;
  readonly status?: string;
  readonly title?: string | null;
}

interface InvestorFacts {
  readonly count: number;
  /** Whether the first one led the round. */
  readonly led: boolean;
  /** At most two. */
  readonly names: readonly string[];
}

/** A longer name or title is cut. */
const NAME_MAX = 80;
const HEADLINE_MAX = 300;
const UNITS = ['', 'K', 'M', 'B', 'T'] as const;

const TITLES: Readonly<Record<string, (facts: ActivityFacts) => string>> = {
  'round.recorded': roundTitle,
  'round.updated': (facts) => `Updated: ${roundTitle(facts)}`,
  'investor.joined_round': joinedTitle,
  'valuation.recorded': ({ name, amount, estimated }) => {
    const sum = dollars(amount);
    if (sum === undefined) return `${cut(name)} was valued at an undisclosed amount`;
    return `${cut(name)} was valued at ${estimated ? 'an estimated ' : ''}${sum}`;
  },
  'portfolio.company_added': ({ name, object = '' }) =>
    `${cut(name)} added ${cut(object)} to its portfolio`,
  'portfolio.exit_recorded': ({ name, object = '', status }) =>
    status === 'Acquired'
      ? `${cut(name)} exited ${cut(object)} in an acquisition`
      : `${cut(name)} exited ${cut(object)}`,
  'startup.added': ({ name }) => `Startup added: ${cut(name)}`,
  'startup.updated': ({ name }) => `Profile updated: ${cut(name)}`,
  'fund.added': ({ name }) => `Fund added: ${cut(name)}`,
  'fund.updated': ({ name }) => `Profile updated: ${cut(name)}`,
  'team.person_added': ({ name, object = '', title }) =>
    `${cut(object)} joined ${cut(name)}${title ? ` as ${cut(title)}` : ''}`,
  'news.mention': ({ object = '' }) => cut(object, HEADLINE_MAX),
};

/**
 * One line of text.
 *
 * @param type the name of a type of signal.
 */
export function activityTitle(type: string, facts: ActivityFacts): string {
  const title = TITLES[type];
  if (title === undefined) throw new RangeError(`There is no title for ${type}.`);
  return title(facts);
}

/** Phrases of stages that are no name of a round: with an amount, and without one. */
const STAGE_PHRASES: ReadonlyMap<string, readonly [sum: (sum: string) => string, none: string]> =
  new Map([
    ['Angel', [(sum) => `raised ${withArticle(sum)} Angel round`, 'raised an Angel round']],
    ['Venture', [(sum) => `raised ${sum} in venture funding`, 'raised venture funding']],
    ['Growth', [(sum) => `raised ${withArticle(sum)} Growth round`, 'raised a Growth round']],
    ['PrivateEquity', [(sum) => `raised ${sum} in private equity`, 'raised private equity']],
    ['Debt', [(sum) => `raised ${sum} in debt`, 'raised debt']],
    [
      'Convertible',
      [(sum) => `raised ${withArticle(sum)} convertible round`, 'raised a convertible round'],
    ],
    ['Grant', [(sum) => `received ${withArticle(sum)} grant`, 'received a grant']],
    ['Crowdfunding', [(sum) => `raised ${sum} in crowdfunding`, 'raised crowdfunding']],
    ['Secondary', [(sum) => `had ${withArticle(sum)} secondary sale`, 'had a secondary sale']],
    [
      'Corporate',
      [(sum) => `raised ${withArticle(sum)} corporate round`, 'raised a corporate round'],
    ],
    ['PostIpo', [(sum) => `raised ${sum} after its IPO`, 'raised funding after its IPO']],
  ]);

function roundTitle({ name, investors, ...round }: ActivityFacts): string {
  const { amount, stage, series } = round;
  const sum = dollars(amount);
  const raised = raisedOf(sum, stage, series);
  return `${cut(name)} ${raised}${investorsOf(investors)}${noteOf(sum, round)}`;
}

function joinedTitle({ name, object = '', ...round }: ActivityFacts): string {
  const { amount, stage, series } = round;
  const sum = dollars(amount);
  const raised = raisedOf(sum, stage, series);
  return `${cut(name)} invested in ${cut(object)}, which ${raised}${noteOf(sum, round)}`;
}

function noteOf(sum: string | undefined, { confirmed }: Partial<ActivityFacts>): string {
  const notes = [
    ...(sum === undefined ? ['amount undisclosed'] : []),
    ...(confirmed === false ? ['unconfirmed'] : []),
  ];
  return notes.length === 0 ? '' : ` (${notes.join(', ')})`;
}

function raisedOf(sum: string | undefined, stage?: number | null, series?: string | null): string {
  const row = stages.find(({ value }) => value === stage);
  const phrase = STAGE_PHRASES.get(row?.name ?? '');
  if (phrase !== undefined) return sum === undefined ? phrase[1] : phrase[0](sum);
  const isNamed = row !== undefined && row.name !== 'Other';
  const label = isNamed ? row.label : cut(series ?? '');
  if (label === '') return sum === undefined ? 'raised a round' : `raised ${sum}`;
  const round = /^series |\bround$/i.test(label) ? label : `${label} round`;
  if (sum === undefined) return `raised ${withArticle(round)}`;
  return `raised ${withArticle(sum)} ${isNamed ? label : round}`;
}

function investorsOf(investors: InvestorFacts | undefined): string {
  const [first, second] = investors?.names ?? [];
  if (investors === undefined || first === undefined) return '';
  const { count, led } = investors;
  if (led) return ` led by ${cut(first)}`;
  if (count === 1 || second === undefined) return ` from ${cut(first)}`;
  const others = count === 2 ? cut(second) : `${count - 1} others`;
  return ` from ${cut(first)} and ${others}`;
}

/** An amount with three significant digits at most, such as `$3.9M`; undefined if undisclosed. */
export function dollars(amount: number | null | undefined): string | undefined {
  if (amount === null || amount === undefined) return undefined;
  if (amount === 0) return '$0';
  const rounded = Number(amount.toPrecision(3));
  const unit = Math.min(Math.floor(Math.log10(rounded) / 3), UNITS.length - 1);
  return `$${Number((rounded / 1000 ** unit).toPrecision(3))}${UNITS[unit]}`;
}

/** `an` before a vowel, and before a number that is spoken with one: $8M, $11M, $18K, $800. */
function withArticle(text: string): string {
  const isVowel = /^(?:[aeio]|\$(?:8|1[18](?!\d)))/i.test(text);
  return `${isVowel ? 'an' : 'a'} ${text}`;
}

/** The text on one line, cut at a length in characters as a reader counts them. */
function cut(text: string, max = NAME_MAX): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= max) return line;
  const graphemes = [...new Intl.Segmenter().segment(line)].slice(0, max + 1);
  if (graphemes.length <= max) return line;
  const kept = graphemes.slice(0, max - 1).map(({ segment }) => segment);
  return `${kept.join('').trimEnd()}…`;
}
