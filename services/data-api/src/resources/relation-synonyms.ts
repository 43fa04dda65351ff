import { table, words } from '@vcds/venture-model';

/** Synonyms of the relations of `$expand`. */
export const RELATION_SYNONYMS = table({
  Tags: words('tag industry sector category vertical'),
  Addresses: words('address location office headquarters city country'),
  Funds: words('fund investor backer shareholder investments'),
  FundingRounds: words('round funding investment deal funding_round'),
  Persons: words('person people founder team member employee contact staff partner'),
  Startups: words('startup portfolio company investment portfolio_company holding companies'),
  Startup: words('company organization startups'),
  Fund: words('investor firm funds'),
  Investors: words('investor fund participant backer lead funds'),
  InvestmentStages: words('stage investment_stage stage_focus'),
  InvestmentTypes: words('type investor_type fund_type investment_type'),
  Groups: words('group list fund_group'),
});
