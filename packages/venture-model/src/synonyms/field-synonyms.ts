import { table, words } from './table.ts';

/** Synonyms by field name, or by `resource.Field` if they differ for this resource. */
export const FIELD_SYNONYMS = table({
  Id: words('uuid guid identifier startup_id fund_id company_id object_id'),
  Name: words(`
    company company_name startup_name fund_name full_name first_name last_name label
    display_name legal_name
  `),
  'person.Name': words('full_name first_name last_name surname display_name given_name'),
  Website: words('url homepage homepage_url site web link website_url'),
  Domain: words('host hostname domain_name'),
  Identifier: words('identifiers external_id linkedin_url crunchbase_url twitter_url facebook_url'),
  Description: words('about summary overview short_description bio tagline'),
  Location: words('headquarters hq place address hq_location based_in city town'),
  Founded: words(`
    founded_year year_founded founded_on founding_year foundation_year inception established
    founded_date founding_date year foundation_date founded_at date_founded start_year
  `),
  TotalRaised: words(`
    raised_total total_funding funding funding_total amount_raised raised_amount money_raised capital_raised
    total_funding_usd funding_total_usd total_raised_usd funding_amount raised
    total_amount_raised amount
  `),
  Tag: words(`
    industry sector category vertical tags market category_list industry_group theme topic
    keyword_tag niche focus sub_industry business_area
  `),
  Country: words(`
    country_code country_name nation hq_country country_iso headquarters_country geo geography
    countries
  `),
  Region: words('state province state_code county hq_state area state_province'),
  City: words('town city_name hq_city municipality cities'),
  LastFundingStage: words(`
    stage last_round funding_stage series current_stage last_stage latest_stage
    last_funding_type funding_type round round_type last_round_type latest_round funding_round
    last_funding_round investment_stage growth_stage company_stage funding_series last_series
    round_stage
  `),
  NextFundingStage: words('next_stage next_round expected_stage predicted_stage'),
  LastFundingDate: words(`
    last_funded last_round last_funding last_funding_at latest_funding last_funding_on last_round_date
    last_raised last_raised_at funding_date latest_round latest_funding_date last_round_at date
    last_funding_year
  `),
  Status: words('exit exit_status exit_type ipo_status'),
  OperatingStatus: words(`
    status company_status state_of_company active is_active operational_status closed is_closed
    business_status lifecycle
  `),
  PrimarySource: words('source data_source origin'),
  MembersCount: words(`
    employees employee_count num_employees headcount team_size staff number_of_employees
    employees_count company_size size staff_count team full_time_employees workforce
    people_count fte team_count member
  `),
  MembersCountBucket: words(`
    team_size employees_range employee_range size_range headcount_range num_employees_enum
    company_size employees headcount size team employee_count headcount_bucket size_bucket
    employee_bucket
  `),
  Keywords: words(`
    description text full_text keyword search about summary query q overview short_description
    tagline bio content profile
  `),
  RoundsCount: words(`
    rounds funding_rounds num_funding_rounds num_rounds number_of_rounds round_count
    number_of_funding_rounds funding_rounds_count
  `),
  LatestPostValuation: words(`
    valuation post_valuation last_valuation post_money post_money_valuation latest_valuation
    company_valuation current_valuation market_cap worth
  `),
  AverageRoundAmount: words(`
    average_round avg_round average_round_size avg_round_amount typical_check check_size
    ticket_size average_ticket deal_size
  `),
  FundingPerMember: words('funding_per_employee raised_per_employee'),
  InvestorNames: words('investors backers investor_name lead_investor lead_investors shareholders'),
  InvestmentStage: words('stage stage_focus preferred_stage stages investing_stage funding_stage'),
  InvestmentType: words(`
    type investor_type fund_type kind investor_kind firm_type category_of_fund
  `),
  'Group.Name': words('group fund_group groups list'),
  InvestmentsCount: words(`
    investments number_of_investments num_investments deals deal_count portfolio_size
    portfolio_count portfolio investment_count
  `),
  LastInvestmentDate: words(`
    last_investment latest_investment last_deal last_deal_date last_investment_at last_active
    latest_investment_date
  `),
  ExitRate: words('exits exit_ratio success_rate'),
  LatestInvestments: words(`
    recent_investments portfolio_companies portfolio last_investments notable_investments
  `),
  StartupId: words(`
    startup company_id company organization_id org_id startup_uuid company_uuid organization
    organisation_id
  `),
  Startup: words('company startup_id organization'),
  FundId: words('fund investor investor_id firm_id fund_uuid'),
  Investor: words(`
    investors investor_id fund fund_id backer investor_uuid participant investor_ids
  `),
  LeadInvestor: words('lead lead_investors leader led_by lead_investor_id'),
  FundingRoundId: words('round round_id funding_round funding_round_uuid'),
  Date: words(`
    announced announced_on announced_at announced_date announcement_date published published_at
    publish_date published_on published_date publication_date pub_date round_date closed_on
    closed_at funded_at funding_date deal_date close_date valuation_date posted_at datetime on
    timestamp valued_at
  `),
  Year: words('round_year funded_year announced_year funding_year deal_year'),
  Series: words(`
    round round_name round_type funding_type type round_series funding_round_type
    round_series_name investment_type raw_series
  `),
  Stage: words(`
    round round_type round_stage funding_stage last_funding_stage stage_name funding_round_type
    investment_stage
  `),
  RoundAmount: words('round_size amount_raised raised raised_amount money_raised'),
  PreviousStage: words('prior_stage last_stage stage_before from_stage previous_round'),
  StepUp: words('step_up_multiple valuation_step_up multiple markup uplift growth'),
  FoundedCount: words(`
    companies_founded founded number_of_companies_founded serial_founder times_founded
    number_of_founded_organizations startups_founded
  `),
  ExitDate: words(
    'exited_on exited_at exit_on acquired_on acquired_at acquisition_date sold_on exit_year',
  ),
  Acquirer: words('acquired_by acquirer_name buyer acquiring_company acquired_company_by'),
  Amount: words(`
    amount_raised raised raised_amount size round_size money_raised usd amount_usd
    funding_amount value raised_amount_usd original_amount deal_size total_raised funding sum
    price
  `),
  'postValuation.Amount': words('valuation post_money valuation_amount post_valuation value worth'),
  OriginalCurrency: words('currency currency_code'),
  Confirmed: words('is_confirmed verified is_verified'),
  Estimated: words('is_estimated estimate is_estimate'),
  Title: words('headline name subject heading text article_title q keywords'),
  Url: words('link href article_url website news_url'),
  Publisher: words(`
    source author outlet publication media news_source site publisher_name newspaper
  `),
  Role: words('type person_type kind is_founder job person_role'),
  FirstName: words('given_name forename'),
  LastName: words('surname family_name'),
  Since: words('joined joined_at start_date started_on from started joined_on'),
  FirstInvestmentDate: words(`
    invested_at first_investment entry_date invested_on first_deal first_deal_date
    first_investment_at investing_since active_since
  `),
  Field: words('fact property attribute'),
  Source: words('origin publisher data_source reference'),
  RetrievedAt: words('fetched_at crawled_at date retrieved retrieved_on as_of'),
  Confidence: words('certainty quality confirmed reliability'),
  CreatedTimeStamp: words(`
    created_at created created_on date_created creation_date added_at created_date date_added
    inserted_at added added_on create_time created_time
  `),
  UpdatedTimeStamp: words(`
    updated_at updated updated_on last_updated modified modified_at last_modified date_modified
    modified_on changed_at update_date last_changed update_time updated_time updated_date
  `),
});

/** Synonyms of the relations of `$expand`. */
export const RELATION_SYNONYMS = table({
  Tags: words('tag industry sector category vertical'),
  Identifiers: words('identifier external_id linkedin crunchbase twitter lei wikidata'),
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
