import type { CompanyFacts } from '@vcds/site-facts/page';
import { type JsonObject, members, nested, type Table, texts } from '../tables/csv.ts';
import type { ReadPage } from './kept-pages.ts';
import type { Match } from './match.ts';

/** The fact that each member of the response states, in their order. */
const MEMBERS = {
  Name: 'name',
  Title: 'title',
  Description: 'description',
  LogoUrl: 'logoUrl',
  Language: 'language',
  Country: 'country',
  FoundedYear: 'foundedYear',
  SocialProfiles: 'socialProfiles',
} as const satisfies Readonly<Record<string, keyof CompanyFacts>>;

export type FindMember = keyof typeof MEMBERS;
/** The members that state facts. */
export const FIND_MEMBERS = Object.keys(MEMBERS) as readonly FindMember[];

/** A site as a table of one row, without the evidence, whose facts have several members. */
export const FIND_TABLE: Table = {
  columns: [
    ...members('Website', 'FinalUrl', 'FetchedAt'),
    ...FIND_MEMBERS.map((name) =>
      name === 'SocialProfiles'
        ? texts(name, 'Url')
        : { name, cell: (row: JsonObject) => row[name] },
    ),
    ...nested('Match', members('Id', 'Type', 'Name', 'Website', 'Score', 'MatchedOn')),
  ],
  rows: (body) => [body],
};

/** The response, as JSON. Every member is present; an unknown value is null. */
export function findBody({ site, facts: stated }: ReadPage, match: Match | null): string {
  const { website, finalUrl, fetchedAt } = site;
  const { evidence, ...page } = stated;
  const facts = FIND_MEMBERS.map((member) => [member, page[MEMBERS[member]]]);
  const body = JSON.stringify({
    ...{ Website: website, FinalUrl: finalUrl, FetchedAt: fetchedAt.toISOString() },
    ...Object.fromEntries(facts),
    SocialProfiles: page.socialProfiles.map(({ network, url }) => ({ Network: network, Url: url })),
    Evidence: evidence.map(({ field, value, source }) => ({
      Field: FIND_MEMBERS.find((member) => MEMBERS[member] === field),
      Value: value,
      Source: source,
    })),
  });
  return `${body.slice(0, -1)},"Match":${match?.json ?? 'null'}}`;
}
