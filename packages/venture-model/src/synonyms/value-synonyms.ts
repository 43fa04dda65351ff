import { table, words } from './table.ts';

/** Members of closed lists, by their labels. */
export const CLOSED_VALUE_SYNONYMS = table({
  'Pre-Seed': words('friends_and_family idea preseed_round'),
  Angel: words('angel_round business_angel angel_investment'),
  Seed: words('seed_round seed_stage seed_funding early_stage'),
  'Series A': words('a round_a a_round series_a_round series_1 class_a'),
  'Series B': words('b round_b b_round series_b_round'),
  'Series C': words('c round_c c_round series_c_round'),
  'Series D': words('d round_d d_round series_d_round'),
  'Series E': words('e round_e e_round'),
  'Series F': words('f round_f f_round'),
  'Series G': words('g round_g g_round'),
  'Series H': words('h round_h h_round'),
  'Venture (series unknown)': words('series_unknown unknown venture_round unattributed'),
  Growth: words('growth_equity late_stage expansion scaleup growth_stage'),
  'Private Equity': words('pe buyout lbo'),
  Debt: words('debt_financing loan venture_debt debt_round'),
  Convertible: words('convertible_note safe note convertible_bond'),
  Grant: words('public_grant subsidy'),
  Crowdfunding: words('equity_crowdfunding kickstarter product_crowdfunding crowd'),
  Secondary: words('secondary_market secondary_sale'),
  Corporate: words('corporate_round cvc corporate_venture strategic'),
  'Post-IPO': words('ipo public post_ipo_equity listed post_ipo_debt'),
  '1–10': words('solo micro'),
  '10,001+': words('10001+ 10000+ 10k+ 10001_or_more >10000'),
  'Venture Fund': words(`
    vc venture_capital venture_capitalist vc_fund vc_firm venture_capital_firm venture
  `),
  Accelerator: words('incubator startup_accelerator'),
  'Fund of Funds': words('fof'),
  'Angel Group': words('angel angel_network business_angels angel_investor syndicate'),
  'Family Office': words('multi_family_office single_family_office fo'),
  Studio: words('venture_studio venture_builder startup_studio company_builder'),
  Public: words('government state public_fund government_office sovereign'),
  Active: words('operating alive open live running in_business operational true'),
  'Probably closed': words('inactive dormant zombie maybe_closed likely_closed quiet'),
  Closed: words(`
    dead defunct shut_down out_of_business bankrupt dissolved ceased failed liquidated
    deadpooled
  `),
  Held: words('current in_portfolio unrealized holding invested not_exited portfolio'),
  Exited: words('exit sold ipo realized went_public'),
  Acquired: words('acquisition m&a merged bought taken_over merger acquihire'),
  Confirmed: words('true yes 1 verified official'),
  Unconfirmed: words('false no 0 not_confirmed unverified rumoured rumored'),
  Founder: words('co_founder entrepreneur ceo'),
  Investor: words('partner vc angel business_angel general_partner'),
});

/**
 * Tags: a text that a filter may contain, and the values that it may mean; the first that occurs in
 * the data is suggested. Names of places are in `values-meant.ts`.
 */
export const OPEN_VALUE_SYNONYMS = table({
  ai: ['Artificial Intelligence', 'Artificial Intelligence (AI)', 'AI / Machine Learning'],
  'artificial intelligence': ['AI', 'Artificial Intelligence (AI)'],
  ml: ['Machine Learning', 'AI / Machine Learning'],
  'machine learning': words('ML'),
  saas: ['Software as a Service', 'Software'],
  fintech: ['Financial Technology', 'Financial Services', 'Finance'],
  finance: ['Financial Services', 'Fintech'],
  ecommerce: ['E-Commerce', 'E Commerce', 'Online Retail', 'Retail'],
  biotech: words('Biotechnology'),
  healthtech: ['Health Tech', 'Health Care', 'Healthcare', 'Digital Health'],
  healthcare: ['Health Care', 'Healthtech', 'Health'],
  edtech: ['Education', 'Education Technology', 'EdTech'],
  cleantech: ['Clean Technology', 'Clean Energy', 'Climate', 'Climate Tech', 'Greentech'],
  proptech: ['Real Estate', 'Property Technology'],
  'real estate': words('Proptech'),
  insurtech: words('Insurance'),
  crypto: words('Cryptocurrency Blockchain Web3'),
  web3: words('Blockchain Cryptocurrency Crypto'),
  iot: ['Internet of Things'],
  vr: ['Virtual Reality'],
  ar: ['Augmented Reality'],
  hr: ['Human Resources', 'HR Tech'],
  cybersecurity: ['Cyber Security', 'Security'],
  infosec: ['Cybersecurity', 'Cyber Security', 'Security'],
  medtech: ['Medical Devices', 'Medical', 'Health Care', 'MedTech'],
  adtech: words('Advertising'),
  agtech: words('Agriculture Agritech'),
  agritech: words('Agriculture AgTech'),
  foodtech: ['Food and Beverage', 'Food', 'Food & Drink', 'FoodTech'],
  gaming: ['Games', 'Video Games', 'Gaming'],
});
