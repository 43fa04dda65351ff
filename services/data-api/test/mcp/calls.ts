import { seedId } from '../support/collections.ts';

export const STARTUP = seedId('startup2');
export const FUND = seedId('fund2');
export const EVERY_RELATION = 'Tags,Addresses,Funds,FundingRounds,Persons';
/** A call of every tool, of every collection, and what it costs. */
export const CALLS: readonly (readonly [string, Record<string, unknown>, number])[] = [
  ['find_company', { name: 'agora' }, 1],
  ['find_company', { website: 'fund2.example', type: 'fund' }, 1],
  ['get_record', { collection: 'startups', id: STARTUP }, 1],
  ['get_record', { collection: 'funds', id: FUND, expand: 'Startups' }, 2],
  ['get_record', { collection: 'startups', id: STARTUP, expand: EVERY_RELATION }, 3],
  ['get_record', { collection: 'people', id: seedId('person2'), select: 'Name' }, 1],
  ['list_records', { collection: 'startups', filter: "Name like '%'", top: 7 }, 7],
  ['list_records', { collection: 'funds', orderby: 'Name desc', top: 3, cursor: '2~' }, 3],
  ['list_records', { collection: 'rounds', startup_id: STARTUP, top: 4 }, 2],
  ['list_records', { collection: 'rounds', fund_id: FUND, top: 2 }, 1],
  ['list_records', { collection: 'rounds', narrow: { country: 'France' }, top: 4 }, 2],
  ['list_records', { collection: 'valuations', top: 4 }, 2],
  ['list_records', { collection: 'people', top: 2 }, 2],
  ['list_records', { collection: 'news', top: 4 }, 1],
  ['list_records', { collection: 'portfolio', fund_id: FUND, top: 2 }, 1],
  ['list_records', { collection: 'references', startup_id: STARTUP, top: 4 }, 1],
  ['count_records', { collection: 'startups', narrow: { industry: 'Fintech' } }, 1],
  ['count_by_category', { entity: 'startups', dimensions: ['country', 'stage'], top: 3 }, 1],
  ['count_by_category', { entity: 'funds', dimensions: ['industry'], search: 'fin' }, 1],
  ['aggregate_records', { entity: 'rounds', measures: ['median(Amount)'], by: ['country'] }, 1],
  ['follow_changes', { limit: 10 }, 4],
  ['follow_changes', { limit: 10, names: false, order: 'asc' }, 3],
  ['recent_activity', { types: ['round.recorded'], limit: 10 }, 3],
  ['read_site', { website: 'tools.example' }, 25],
  ['find_matches', { startup_id: STARTUP, top: 3 }, 10],
  ['find_matches', { tags: ['Fintech'], stage: 'Seed', amount: 1_000_000 }, 10],
  ['find_matches', { fund_id: FUND, top: 3 }, 10],
  ['find_similar', { type: 'startups', id: STARTUP, top: 3 }, 1],
  ['find_similar', { type: 'funds', id: FUND, top: 3 }, 1],
  ['search', { query: 'agora' }, 1],
  ['search', { query: 'fund2.example' }, 1],
  ['fetch', { id: `startups/${STARTUP}` }, 2],
  ['fetch', { id: `funds/${FUND}` }, 2],
  ['price_of_call', { tool: 'list_records', arguments: { collection: 'news', top: 9 } }, 0],
  ['describe_data', { topic: 'dimensions' }, 0],
  ['check_balance', {}, 0],
];
