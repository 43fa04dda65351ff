/** The items of `POST /companies/match` (docs/spec/match.md 26.1). */
import { nameForms } from '@vcds/name-search';
import { type Compiled, compile } from '@vcds/resolution';
import {
  canonicalCountry,
  IDENTIFIER_MAX,
  readIdentifier,
  SHARED_HOSTS,
  siteIdentifier,
  websiteForms,
} from '@vcds/venture-model';
import type { CompanyType } from '../search/search-request.ts';
import { Q_LENGTH_MAX, WEBSITE_LENGTH_MAX } from '../search/search-request.ts';
import type { RequestBody } from '../serve/request/body.ts';

export const ITEMS_MAX = 100;
const IDENTIFIERS_MAX = 10;
const REF_LENGTH_MAX = 200;
const COUNTRY_LENGTH_MAX = 100;

const text = (maxLength: number, description: string) => ({
  ...{ type: 'string', maxLength, description },
});

const ITEM = {
  type: 'object',
  properties: {
    ref: text(REF_LENGTH_MAX, 'Your own name of the item; the result repeats it.'),
    name: text(Q_LENGTH_MAX, 'With or without its legal form.'),
    website: text(WEBSITE_LENGTH_MAX, 'A domain or URL.'),
    country: text(COUNTRY_LENGTH_MAX, 'A name of a country, or its code of two or three letters.'),
    identifiers: {
      type: 'array',
      maxItems: IDENTIFIERS_MAX,
      items: text(IDENTIFIER_MAX, '`scheme:value`, or the URL of a profile.'),
      description: 'Such as `linkedin:acme` or `lei:5493001KJTIIGC8Y1R12`.',
    },
    type: {
      ...{ type: 'string', enum: ['startup', 'fund'] },
      description: 'Default: both are looked for.',
    },
  },
  required: ['ref'],
  additionalProperties: false,
  description: 'A company to find: its name, website or identifiers, and what else is known.',
};

/** A list of items. */
export const MATCH_BODY: RequestBody = {
  ...{ bytesMax: 256 * 1024, membersMax: 4_000 },
  schema: { type: 'array', minItems: 1, maxItems: ITEMS_MAX, items: ITEM },
  example: [
    { ref: 'crm-1', name: '{startup} Ltd', website: '{website}' },
    { ref: 'crm-2', name: '{startup}' },
    { ref: 'crm-3', name: 'Nulla Example Ltd', website: 'nulla.example', country: 'France' },
  ],
};

/** An item as it is sent, valid by the schema. */
export interface Item {
  readonly ref: string;
  readonly name?: string;
  readonly website?: string;
  readonly country?: string;
  readonly identifiers?: readonly string[];
  readonly type?: CompanyType;
}

/** A value of an item that could not be read, and is therefore no evidence. */
export interface Problem {
  readonly member: string;
  readonly value: string;
  readonly message: string;
}

/** An item as it is compared. */
export interface AskedItem {
  readonly ref: string;
  readonly types: readonly CompanyType[];
  /** The name as sent; empty without one. */
  readonly name: string;
  /** The site as sent, if it is one. */
  readonly website: string | undefined;
  readonly problems: readonly Problem[];
  readonly statement: Compiled;
  /** Whether there is anything to find a company by. */
  readonly isAnswerable: boolean;
}

const BOTH: readonly CompanyType[] = ['startup', 'fund'];

/** Reads an item: what cannot be read is a problem, and never ignored. */
export function readItem(item: Item): AskedItem {
  const problems: Problem[] = [];
  const read = <Value>(
    member: string,
    sent: string | undefined,
    readText: (text: string) => Value | undefined,
    message: string | ((text: string) => string),
  ): Value | undefined => {
    if (sent === undefined) return undefined;
    const value = readText(sent.replaceAll('\0', ''));
    if (value === undefined) {
      const what = typeof message === 'string' ? message : message(sent);
      problems.push({ member, value: sent, message: what });
    }
    return value;
  };
  const name = read('name', item.name, nameOf, 'has no letter or digit');
  const website = read('website', item.website, siteOf, faultOfSite);
  const country = read('country', item.country, canonicalCountry, 'names no country');
  const identifiers = (item.identifiers ?? []).flatMap(
    (each, i) =>
      read(
        `identifiers[${i}]`,
        each,
        (sent) => readIdentifier(sent).identifier,
        (sent) => readIdentifier(sent).fault ?? '',
      ) ?? [],
  );
  const ofSite = website === undefined ? undefined : siteIdentifier(website);
  const all = ofSite === undefined ? identifiers : [...identifiers, ofSite];
  if (item.name === undefined && item.website === undefined && all.length === 0) {
    const message = 'has no name, website or identifier';
    problems.push({ member: 'item', value: item.ref, message });
  }
  return {
    ref: item.ref,
    types: item.type === undefined ? BOTH : [item.type],
    ...{ name: name ?? '', website, problems },
    statement: compile({
      ...{ id: '', entity: item.type === 'fund' ? 2 : 1, source: 'item', name: name ?? '' },
      website: website ?? null,
      identifiers: all,
      countries: country === undefined ? [] : [country],
    }),
    isAnswerable: name !== undefined || website !== undefined || all.length > 0,
  };
}

function nameOf(text: string): string | undefined {
  const name = text.trim();
  return /[\p{L}\p{N}]/u.test(nameForms(name).folded) ? name : undefined;
}

function siteOf(text: string): string | undefined {
  const forms = websiteForms(text);
  if (forms?.host.includes('.') !== true || isSharedHost(forms)) return undefined;
  return text.trim();
}

function faultOfSite(text: string): string {
  const forms = websiteForms(text.replaceAll('\0', ''));
  return forms !== null && isSharedHost(forms)
    ? 'is a host that companies share, without the page of one'
    : 'is no domain or URL';
}

/** Whether a site is `facebook.com` alone, which is that of no company of the list. */
function isSharedHost({ host, path }: { readonly host: string; readonly path: string }): boolean {
  return path === '' && SHARED_HOSTS.has(host);
}
