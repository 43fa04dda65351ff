import { FACTORS } from '@vcds/matching';
import { arrayOf, nullable, object, TEXT, UUID } from '@vcds/openapi';
import { REASONS_MAX } from '../src/matching/ranker.ts';

const MATCHED_COMPANY = object(
  { Id: UUID, Name: TEXT, Website: nullable(TEXT), Country: arrayOf(TEXT) },
  { description: 'The company of a match.' },
);

/** A hit of /venturematching. */
export const VENTURE_MATCH = object(
  {
    Fund: MATCHED_COMPANY,
    Startup: MATCHED_COMPANY,
    Score: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The estimated probability that the fund invests in the company soon.',
    },
    Reasons: arrayOf(
      object({
        Factor: { ...TEXT, enum: [...FACTORS] },
        Weight: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          description: 'The share of the factor in all that raised the score.',
        },
        Text: {
          ...TEXT,
          description: 'A fact about the fund, with numbers counted in the records.',
        },
      }),
      { description: 'What raised the score most, by descending weight.', maxItems: REASONS_MAX },
    ),
  },
  {
    description: 'A fund for a company, or a startup for a fund.',
    optional: ['Fund', 'Startup'],
  },
);
