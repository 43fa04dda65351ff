import { canonicalCountry, SHARED_HOSTS, websiteForms } from '@vcds/venture-model';
import { hash32 } from './hash.ts';
import { foldWhole, type NameKey, nameKey, namesIn } from './names.ts';
import { type EntityNumber, LIST_MAX, type StatedRound, type Statement } from './statement.ts';

/** A statement in normal form, as plain data: it may be kept as JSON and read again. */
export interface Compiled {
  readonly id: string;
  readonly entity: EntityNumber;
  readonly source: string;
  /** The name first, then others. */
  readonly names: readonly NameKey[];
  /** Sites that identify a company: a registrable domain, or a page of a shared host. */
  readonly sites: readonly string[];
  /** The first label of the registrable domain: `acme` of `acme.co.uk`; empty without one. */
  readonly label: string;
  readonly siteIsDead: boolean;
  readonly identifiers: readonly string[];
  readonly countries: readonly string[];
  readonly regions: readonly string[];
  readonly cities: readonly string[];
  readonly founded: number;
  readonly total: number;
  /** `YYYY-MM|amount`; the amount is rounded to three digits. */
  readonly rounds: readonly string[];
  readonly newsDays: readonly string[];
  readonly links: readonly string[];
  readonly people: readonly string[];
  readonly tags: readonly string[];
  /** Hashes of the words of the description. */
  readonly text: readonly number[];
}

/** Identifiers that are sites, written as the other sites are. */
const DOMAIN_SCHEME = 'domain:';
const TEXT_WORDS_MAX = 60;

/** Reads a statement once: everything is cut to {@link LIST_MAX}, folded, and without repeats. */
export function compile(statement: Statement): Compiled {
  const { id, entity, source, name, aliases = [], identifiers = [] } = statement;
  const named = [name, ...aliases.slice(0, LIST_MAX.aliases)].flatMap(namesIn);
  const ids = identifiers.slice(0, LIST_MAX.identifiers);
  const domains = ids.flatMap((text) => (text.startsWith(DOMAIN_SCHEME) ? [text.slice(7)] : []));
  const written = [statement.website ?? '', ...domains, ...(statement.formerSites ?? [])];
  const sites = written.slice(0, LIST_MAX.aliases).flatMap((text) => siteOf(text) ?? []);
  // A text that names no country is no evidence of another one.
  const countries = (statement.countries ?? []).flatMap((text) => canonicalCountry(text) ?? []);
  return {
    ...{ id, entity, source },
    names: distinctNames(named.flatMap((text) => nameKey(text) ?? [])),
    sites: distinct(
      sites.map(({ site }) => site),
      6,
    ),
    label: sites.find(({ label }) => label !== '')?.label ?? '',
    siteIsDead: statement.siteIsDead === true,
    identifiers: distinct(
      ids.filter((text) => !text.startsWith(DOMAIN_SCHEME)),
      LIST_MAX.identifiers,
    ),
    countries: folded(countries, LIST_MAX.places),
    regions: folded(statement.regions, LIST_MAX.places),
    cities: folded(statement.cities, LIST_MAX.places),
    founded: statement.founded ?? 0,
    total: statement.totalRaised ?? 0,
    rounds: distinct(
      (statement.rounds ?? []).slice(0, LIST_MAX.rounds).map(roundKey),
      LIST_MAX.rounds,
    ),
    newsDays: distinct(statement.newsDays ?? [], LIST_MAX.newsDays),
    links: distinct(
      (statement.links ?? []).slice(0, LIST_MAX.links).map((text) => nameKey(text)?.compact ?? ''),
      LIST_MAX.links,
    ),
    people: folded(statement.people, LIST_MAX.people),
    tags: folded(statement.tags, LIST_MAX.tags),
    text: textWords(statement.description ?? ''),
  };
}

function distinctNames(names: readonly NameKey[]): readonly NameKey[] {
  const seen = new Set<string>();
  return names.filter(({ compact }) => !seen.has(compact) && seen.add(compact)).slice(0, 12);
}

function distinct(texts: readonly string[], max: number): readonly string[] {
  return [...new Set(texts.filter((text) => text !== ''))].sort().slice(0, max);
}

function folded(texts: readonly string[] = [], max: number): readonly string[] {
  return distinct(texts.slice(0, max).map(foldWhole), max);
}

/** The key of a site, and the label of its domain. */
function siteOf(text: string): { readonly site: string; readonly label: string } | null {
  if (text === '' || text.length > LIST_MAX.descriptionLength) return null;
  const forms = websiteForms(text);
  if (forms === null) return null;
  const { host, registrable, path } = forms;
  if (SHARED_HOSTS.has(host)) return path.length < 2 ? null : { site: host + path, label: '' };
  if (registrable === null) return null;
  const [label = ''] = registrable.split('.');
  return { site: registrable, label: label.replaceAll('-', '') };
}

function roundKey({ month, amount }: StatedRound): string {
  const rounded = amount ? Number(amount.toPrecision(3)) : '';
  return `${month}|${rounded}`;
}

function textWords(text: string): readonly number[] {
  const words = foldWhole(text.slice(0, LIST_MAX.descriptionLength).replaceAll('\n', ' ')).split(
    ' ',
  );
  const long = words.filter((word) => word.length >= 5);
  return [...new Set(long.map((word) => hash32(word)))]
    .sort((a, b) => a - b)
    .slice(0, TEXT_WORDS_MAX);
}
