import { ArgumentError } from '../arguments.ts';
import { answer, integer, list, MAX_CREDITS, object, RECORDS, text, uuid } from '../schemas.ts';
import type { Tool } from './tool.ts';

const TAGS_MAX = 12;
const CRITERIA = ['tags', 'country', 'stage', 'amount'] as const;

/** Ranks funds for a company, or startups for a fund. */
export const findMatches: Tool = {
  name: 'find_matches',
  title: 'Find investors or startups',
  description:
    'Funds likely to invest in a startup or in a company described by tags, country, stage and amount; ' +
    'or startups for a fund. Best first, with reasons from the data: 10 credits. ' +
    'Example: {"tags":["Fintech"],"country":"Germany","stage":"Seed","top":5}.',
  input: object({
    startup_id: uuid('The startup that seeks investors.'),
    fund_id: uuid('The fund that seeks startups; without criteria.'),
    tags: list('Industries of the company.', text('A value of industry.', 500), TAGS_MAX),
    country: text('Its country.', 500),
    stage: text('Stage of the round, such as Seed.', 100),
    amount: integer('Amount of the round in US dollars.', 0, Number.MAX_SAFE_INTEGER),
    top: { ...integer('Hits to return.', 1, 25), default: 10 },
    max_credits: MAX_CREDITS,
  }),
  output: answer({ matches: RECORDS }),
  metered: true,
  recordsIn: 'matches',
  argumentNames: { startup: 'startup_id', fund: 'fund_id' },
  call: ({ startup_id: startup, fund_id: fund, top = 10, ...criteria }) => {
    const { tags, country, stage, amount } = criteria;
    const isGiven = [startup, fund, ...CRITERIA.map((name) => criteria[name])].some(
      (value) => value !== undefined,
    );
    if (!isGiven) throw new ArgumentError('Give startup_id, fund_id or criteria.', 'startup_id');
    return {
      path: '/venturematching',
      parameters: { startup, fund, tags, country, stage, amount, top },
    };
  },
  answer: (_, { data }) => ({ matches: data }),
};
