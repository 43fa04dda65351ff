/** The statements that find the records that items may mean (docs/spec/match.md 26.5). */
import { compactProbes, hostProbes, nameForms, typosOf } from '@vcds/name-search';
import { distinctWords, namesIn } from '@vcds/resolution';
import { SHARED_HOSTS, websiteForms } from '@vcds/venture-model';
import type { Statement } from '../postgres/statement.ts';
import type { CompanyType } from '../search/search-request.ts';
import type { AskedItem } from './query.ts';

/** A record that was found by a key. */
export interface FoundRow {
  readonly key: string;
  readonly type: CompanyType;
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly identifiers: readonly string[];
  readonly countries: readonly string[];
  /** Rounds raised or investments made. */
  readonly deals: number;
  /** How many records of the type there are, about. */
  readonly size: number;
}

/** The most records of a type that are read for a key; those with most deals of more. */
export const KEY_RECORDS_MAX = 20;
/** A shorter name is similar to too many others. */
const TYPO_LENGTH_MIN = 5;

const KINDS = ['identifier', 'host', 'below', 'page', 'name', 'begin'] as const;
/** A key of records: its kind, and its texts in the index. */
interface Probe {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

export const keyOf = ({ kind, text }: Probe): string => `${kind}\n${text}`;

/** The probes of an item: identifiers, hosts, pages of shared hosts, and names. */
export function probesOf({ statement, website, name }: AskedItem): readonly Probe[] {
  const forms = website === undefined ? null : websiteForms(website);
  const isShared = forms !== null && SHARED_HOSTS.has(forms.host);
  const hosts = forms === null || isShared ? [] : hostProbes(forms);
  const domains = statement.sites.filter((site) => !site.includes('/'));
  const ids = [...statement.identifiers, ...domains.map((domain) => `domain:${domain}`)];
  return [
    ...ids.map((text): Probe => ({ kind: 'identifier', text })),
    ...[...new Set([...hosts, ...domains])].map((text): Probe => ({ kind: 'host', text })),
    ...domains.map((text): Probe => ({ kind: 'below', text })),
    ...(isShared ? pagesOf(forms).map((text): Probe => ({ kind: 'page', text })) : []),
    ...namesIn(name).flatMap(nameProbes),
  ];
}

/** The probes of an item whose name is in no record: the same letters with one typo. */
export function typoProbesOf({ name }: AskedItem): readonly Probe[] {
  const [first = ''] = namesIn(name);
  const { compact } = nameForms(first);
  if (compact.length < TYPO_LENGTH_MIN) return [];
  const typos = typosOf(compact);
  return typos.length === 0 ? [] : [{ kind: 'name', text: typos.join('\n') }];
}

function nameProbes(name: string): readonly Probe[] {
  const forms = nameForms(name);
  const core = forms.words.slice(0, forms.coreCount);
  const compacts = new Set([
    ...compactProbes(forms),
    ...[`the${forms.compact}`, distinctWords(core).join('')],
  ]);
  compacts.delete('');
  const spelt: Probe = { kind: 'name', text: [...compacts].join('\n') };
  return forms.compact.length < 4 ? [spelt] : [spelt, { kind: 'begin', text: forms.compact }];
}

/** The ways in which records write a page of a shared host. */
function pagesOf({ host, path }: { readonly host: string; readonly path: string }) {
  if (path === '') return [];
  const pages = [`${host}${path}`, `www.${host}${path}`];
  const schemes = ['', 'https://', 'http://'];
  return schemes.flatMap((scheme) => pages.flatMap((page) => [scheme + page, `${scheme + page}/`]));
}

const LOOKUPS: Readonly<Record<Probe['kind'], (type: CompanyType, deals: string) => string>> = {
  identifier: (type, deals) => rows(type, deals, 'c.identifiers @> ARRAY[p.text]'),
  host: (type, deals) => rows(type, deals, 'c.domain = p.text'),
  // Hosts below a domain: `app.acme.com`.
  below: (type, deals) =>
    rows(
      type,
      deals,
      `c.domain LIKE '%.%.%' AND (reverse(c.domain)) COLLATE "C" > reverse(p.text) || '.'
        AND (reverse(c.domain)) COLLATE "C" < reverse(p.text) || '.' || U&'\\+10FFFF'`,
    ),
  page: (type, deals) => rows(type, deals, 'c.website = p.text'),
  name: (type) =>
    `SELECT s.id FROM venture.${type}s_spelt(string_to_array(p.text, E'\\n'), ${KEY_RECORDS_MAX}) AS s(id)`,
  begin: (type) => `SELECT s.id FROM venture.${type}s_begun(p.text, 5) AS s(id)`,
};

function rows(type: CompanyType, deals: string, condition: string): string {
  return `SELECT c.id FROM venture.${type} c WHERE ${condition} AND c.deleted_at IS NULL
    ORDER BY c.${deals} DESC, c.id LIMIT ${KEY_RECORDS_MAX}`;
}

const DEALS = { startup: 'rounds_count', fund: 'investments_count' } as const;

/**
 * One statement for all probes of a call, each looked up once and with a bound of its own, so that
 * what is found for an item does not depend on the others.
 */
export function compileFind(probes: readonly Probe[]): Statement {
  const distinct = [...new Map(probes.map((probe) => [keyOf(probe), probe])).values()];
  const parts = (['startup', 'fund'] as const).map((type) => {
    const found = KINDS.map(
      (kind) => `SELECT p.kind, p.text, f.id FROM p CROSS JOIN LATERAL (
        ${LOOKUPS[kind](type, DEALS[type])}) AS f(id) WHERE p.kind = '${kind}'`,
    );
    return `SELECT f.kind || E'\\n' || f.text AS key, '${type}' AS type, c.id::text, c.name,
        c.website, c.identifiers, c.countries, c.${DEALS[type]} AS deals,
        (SELECT greatest(reltuples, 0)::float8 FROM pg_class
          WHERE oid = 'venture.${type}'::regclass) AS size
      FROM (${found.join('\n UNION ALL ')}) AS f
      JOIN venture.${type} c ON c.id = f.id AND c.deleted_at IS NULL`;
  });
  return {
    text: `WITH p AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::text[]) AS u(kind, text))
      ${parts.join('\n UNION ALL ')}`,
    values: [distinct.map(({ kind }) => kind), distinct.map(({ text }) => text)],
    plan: 'generic',
  };
}
