/** The columns of a list, and the items of `POST /companies/match` (docs/spec/match.md 26.1) of its rows. */
import type { ListFile, Row } from './list-file.ts';

export const ROLES = {
  name: 'Name',
  website: 'Website',
  country: 'Country',
  identifier: 'Identifier',
  identifier2: 'Another identifier',
} as const;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as Role[];
/** The number of the column of each role, -1 for none. */
export type Columns = Readonly<Record<Role, number>>;

const IDENTIFIER_TITLE = /linkedin|crunchbase|wikidata|\blei\b|twitter|facebook|identifier/i;
const TITLES: Readonly<Record<Role, readonly RegExp[]>> = {
  name: [
    /^(?:company|account|organi[sz]ation|legal|business)[ _-]?name$/i,
    /^(?:name|firma|firmenname|unternehmen|soci[ée]t[ée]|empresa|nombre|nom)$/i,
    /^(?:company|account|organi[sz]ation|startup|fund|investor)$/i,
  ],
  website: [/website|web site|homepage|domain|webseite|site web|^(?:url|web|site)$/i],
  country: [/^(?:country|land|pays|pa[ií]s|paese)$/i, /country/i],
  identifier: [IDENTIFIER_TITLE],
  identifier2: [IDENTIFIER_TITLE],
};
/** A title that names the scheme of bare values below it. */
const SCHEME_TITLES: readonly (readonly [RegExp, string])[] = [
  [/linkedin/i, 'linkedin'],
  [/crunchbase/i, 'crunchbase'],
  [/wikidata/i, 'wikidata'],
  [/facebook/i, 'facebook'],
  [/twitter/i, 'x'],
  [/\blei\b/i, 'lei'],
];
const SAMPLE_ROWS = 50;

/** The column of each role by its title, or else by its content. */
export function columnsOf({ rows, width }: ListFile): { columns: Columns; hasTitles: boolean } {
  const titles = (rows[0]?.cells ?? []).map((cell) => cell.trim());
  const taken = new Set<number>();
  const find = (is: (column: number) => boolean): number => {
    const found = Array.from({ length: width }, (_, index) => index).find(
      (column) => !taken.has(column) && is(column),
    );
    if (found !== undefined) taken.add(found);
    return found ?? -1;
  };
  const titled = (role: Role) =>
    TITLES[role].reduce(
      (found, title) => (found === -1 ? find((column) => title.test(titles[column] ?? '')) : found),
      -1,
    );
  // Identifiers first: "LinkedIn URL" is no website.
  const identifiers = { identifier: titled('identifier'), identifier2: titled('identifier2') };
  const columns = {
    ...{ name: titled('name'), website: titled('website'), country: titled('country') },
    ...identifiers,
  };
  const hasTitles = taken.size > 0;
  const sample = rows.slice(hasTitles ? 1 : 0, SAMPLE_ROWS);
  const mostly = (pattern: RegExp) => (column: number) => {
    const filled = sample
      .map(({ cells }) => cells[column]?.trim() ?? '')
      .filter((text) => text !== '');
    return (
      filled.length > 0 && filled.filter((text) => pattern.test(text)).length * 2 > filled.length
    );
  };
  const profile = /linkedin\.com\/|crunchbase\.com\//i;
  const site = /^(?:https?:\/\/)?[^\s/@.]+(?:\.[^\s/@.]+)+(?:\/\S*)?$/i;
  if (columns.identifier === -1) columns.identifier = find(mostly(profile));
  if (columns.website === -1) columns.website = find(mostly(site));
  if (columns.name === -1 && !hasTitles) columns.name = find(mostly(/\p{L}/u));
  return { columns, hasTitles };
}

/** The title of each column, or its number. */
export function titlesOf({ rows, width }: ListFile, hasTitles: boolean): string[] {
  return Array.from({ length: width }, (_, index) => {
    const title = hasTitles ? rows[0]?.cells[index]?.trim() : '';
    return title || `Column ${index + 1}`;
  });
}

export interface MatchItem {
  readonly ref: string;
  readonly name?: string;
  readonly website?: string;
  readonly country?: string;
  readonly identifiers?: readonly string[];
}

export interface Problem {
  readonly member: string;
  readonly value: string;
  readonly message: string;
}

export interface ListItem {
  readonly row: Row;
  readonly item: MatchItem;
  /** Whether it has what can be looked up. */
  readonly isSent: boolean;
  /** Values that the call would reject, and are left out. */
  readonly problems: readonly Problem[];
}

const LENGTHS = { name: 200, website: 2_000, country: 100, identifiers: 500 };
const IDENTIFIERS_MAX = 10;

export function itemsOf(list: ListFile, columns: Columns, hasTitles: boolean): ListItem[] {
  const titles = titlesOf(list, hasTitles);
  return list.rows.slice(hasTitles ? 1 : 0).map((row) => itemOf(row, columns, titles));
}

function itemOf(row: Row, columns: Columns, titles: readonly string[]): ListItem {
  const problems: Problem[] = [];
  const kept = (member: keyof typeof LENGTHS, value: string): boolean => {
    if (value === '' || value.length <= LENGTHS[member]) return value !== '';
    const message = `It is longer than ${LENGTHS[member]} characters and was not sent.`;
    problems.push({ member, value: `${value.slice(0, 80)}…`, message });
    return false;
  };
  const text = (member: 'name' | 'website' | 'country') => {
    const value = row.cells[columns[member]]?.trim() ?? '';
    return kept(member, value) ? { [member]: value } : {};
  };
  const all = [columns.identifier, columns.identifier2].flatMap((column) =>
    identifiersIn(row.cells[column] ?? '', titles[column] ?? ''),
  );
  const identifiers = all.filter((value) => kept('identifiers', value));
  for (const value of identifiers.splice(IDENTIFIERS_MAX))
    problems.push({
      member: 'identifiers',
      value,
      message: 'It is the eleventh or a later one and was not sent.',
    });
  const item: MatchItem = {
    ref: String(row.number),
    ...{ ...text('name'), ...text('website'), ...text('country') },
    ...(identifiers.length > 0 && { identifiers }),
  };
  const isSent = [item.name, item.website, item.identifiers].some((each) => each !== undefined);
  return { row, item, isSent, problems };
}

/** Identifiers of a cell; those without a scheme have the one that the title names. */
function identifiersIn(cell: string, title: string): string[] {
  const scheme = SCHEME_TITLES.find(([pattern]) => pattern.test(title))?.[1];
  return cell
    .split(/[,;|\n]/)
    .map((value) => value.trim())
    .filter((value) => value !== '')
    .map((value) => (scheme === undefined || /[:/]/.test(value) ? value : `${scheme}:${value}`));
}

const BATCH_ITEMS_MAX = 100;
/** Below the bound of a body, 256 KiB. */
const BATCH_BYTES_MAX = 200_000;

/** One body for each call. */
export function batchesOf(items: readonly ListItem[]): (readonly MatchItem[])[] {
  const batches: MatchItem[][] = [];
  let bytes = 0;
  for (const { item } of items.filter(({ isSent }) => isSent)) {
    const size = new TextEncoder().encode(JSON.stringify(item)).length + 1;
    const last = batches.at(-1);
    if (last !== undefined && last.length < BATCH_ITEMS_MAX && bytes + size <= BATCH_BYTES_MAX) {
      last.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches;
}
