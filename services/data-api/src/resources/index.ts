import { fundPerson, startupPerson } from './company-person.ts';
import { fund } from './fund.ts';
import { fundingRound } from './funding-round.ts';
import { holding } from './holding.ts';
import { news } from './news.ts';
import { person } from './person.ts';
import { postValuation } from './post-valuation.ts';
import { reference } from './reference.ts';
import { startup } from './startup.ts';

export type { Listed, Match, Member, ResourceField } from './field.ts';
export type { Relation, Resource } from './resource.ts';

/** Every resource by its name. */
export const resources = Object.freeze({
  fund,
  startup,
  fundingRound,
  postValuation,
  person,
  news,
  holding,
  startupPerson,
  fundPerson,
  reference,
});

export type ResourceName = keyof typeof resources;
