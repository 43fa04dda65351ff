/** The schemas of a company match and of the facts of a site. */
import { arrayOf, INSTANT, nullable, object, ref, TEXT, URI, UUID } from '@vcds/openapi';
import { EXPLANATIONS } from '../src/company-match/decide.ts';
import { CANDIDATES_MAX, FACTORS as MATCH_FACTORS, MATCHED_ON } from '../src/company-match/json.ts';
import { FIND_MEMBERS } from '../src/find/json.ts';
import { REASONS_MAX } from '../src/similar/reasons.ts';
import { FACTORS } from '../src/similar/score.ts';
import { enumOf, text } from './schema-parts.ts';

const MATCH_MEMBERS = {
  Id: UUID,
  Type: enumOf(['startup', 'fund']),
  Name: TEXT,
  Website: nullable(TEXT),
  Domain: nullable(TEXT),
  Location: nullable(TEXT),
  Country: arrayOf(TEXT),
  Description: nullable(TEXT),
  Tags: arrayOf(TEXT),
  LogoUrl: nullable(TEXT),
  Score: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: '1 means the same name or website.',
  },
  MatchedOn: enumOf(['name', 'website', 'identifier', 'both']),
} as const;

export const COMPANY_MATCH = object(MATCH_MEMBERS, {
  description: 'A company that a search found. `fields` selects from these members.',
  optional: [
    ...['Name', 'Website', 'Domain', 'Location', 'Country', 'Description', 'Tags', 'LogoUrl'],
    ...['Score', 'MatchedOn'],
  ],
});

const { Score: _, MatchedOn: __, ...COMPANY } = MATCH_MEMBERS;

export const SIMILAR_COMPANY = object(
  {
    ...COMPANY,
    Score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'How alike they are: the sum of the parts of all factors. 1 means alike in all.',
    },
    Reasons: arrayOf(
      object({
        Factor: enumOf(FACTORS),
        Weight: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          description: 'The share of the factor in the score.',
        },
        Text: text('What both have in common.'),
      }),
      { description: 'What makes them alike, by descending weight.', maxItems: REASONS_MAX },
    ),
  },
  { description: 'A company that is like the one in the path.' },
);

export const COMPANY_SITE = object(
  {
    Website: text('The site as it was read: host and path.'),
    FinalUrl: { ...URI, description: 'The address of the page, after redirects.' },
    FetchedAt: { ...INSTANT, description: 'When the page was read.' },
    Name: nullable(TEXT),
    Title: nullable(TEXT),
    Description: nullable(TEXT),
    LogoUrl: nullable(URI),
    Language: nullable(text('A language of BCP 47, such as `en` or `zh-Hant`.')),
    Country: nullable(text('The country of a structured address, by its English name.')),
    FoundedYear: nullable({ type: 'integer' }),
    SocialProfiles: arrayOf(object({ Network: TEXT, Url: URI })),
    Evidence: arrayOf(
      object({
        Field: enumOf(FIND_MEMBERS),
        Value: text('The text as the page has it.'),
        Source: text('The part of the page that states it, such as `json-ld Organization.name`.'),
      }),
      { description: 'What states each fact.' },
    ),
    Match: nullable(ref('CompanyMatch')),
  },
  { description: 'The facts that the site of a company states. An unknown fact is null.' },
);

export const MATCHED = object(
  {
    ...COMPANY,
    Score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The estimated probability that it is the company of the item.',
    },
    MatchedOn: enumOf(MATCHED_ON),
    Reasons: arrayOf(
      object({
        Factor: enumOf(MATCH_FACTORS),
        Agrees: { type: 'boolean', description: 'Whether it is evidence for the record.' },
        Text: text('What was compared.'),
      }),
      { description: 'The evidence for and against the record.' },
    ),
  },
  { description: 'A record that an item may mean.' },
);

export const MATCH_RESULT = object(
  {
    ref: text('That of the item.'),
    verdict: enumOf(
      ['match', 'candidates', 'none'],
      'The record is certain; there are records that may be it; there is none.',
    ),
    reason: enumOf(Object.keys(EXPLANATIONS), 'Why the item has this verdict.'),
    explanation: text('The reason as a sentence.'),
    record: nullable(ref('MatchedCompany')),
    candidates: arrayOf(ref('MatchedCompany'), {
      description: 'Best first; empty with a record.',
      maxItems: CANDIDATES_MAX,
    }),
    problems: arrayOf(object({ member: TEXT, value: text('As sent.'), message: TEXT }), {
      description: 'Values of the item that could not be read.',
    }),
  },
  { description: 'What an item of a list means.' },
);
