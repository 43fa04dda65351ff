import type { CompanyFacts } from '@vcds/site-facts/page';
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
