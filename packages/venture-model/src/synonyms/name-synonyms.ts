import { table, words } from './table.ts';

/** Dimensions; the fields that filter by them are known beside these. */
export const DIMENSION_SYNONYMS = table({
  industry: words('sector category vertical market tag tags topic theme'),
  country: words('nation country_code country_name geography geo'),
  region: words('state province area state_code county'),
  city: words('town location place headquarters hq'),
  stage: words(`
    funding_stage last_stage series last_round current_stage last_funding_type
    last_funding company_stage
  `),
  next_stage: words('next_round next_funding expected_stage'),
  investment_stage: words('stage_focus fund_stage preferred_stage'),
  investor_type: words('fund_type type kind firm_type'),
  team_size: words(`
    employees headcount size company_size employee_count staff num_employees members_count
    employees_range team headcount_range
  `),
  operating_status: words('status active company_status activity'),
  exit_status: words('exit exits exit_type'),
  founded_year: words(`
    year_founded founded founding_year year foundation_year founded_on inception
  `),
  fund_group: words('group list group_name'),
  round_series: words('series_name round_type round_name funding_type'),
  round_stage: words('stage_of_round normalized_stage round_stage_name funding_round_stage'),
  round_year: words('funding_year deal_year announced_year year_of_round funded_year'),
  confirmed: words('is_confirmed verified is_verified confirmation'),
  investor: words('investors fund funds backer backers participant shareholder co_investor vc'),
  lead_investor: words('lead leads leader led_by lead_investors lead_fund'),
});

/** Of the entities that have dimensions. */
export const ENTITY_SYNONYMS = table({
  startups: words('company companies organization business firm organisation corp'),
  funds: words('investor vc investment_firm venture_capital venture_fund vcs'),
  rounds: words('funding_round funding deal investment fundingrounds round_of_funding'),
});
