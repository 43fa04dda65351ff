/** Stages, types of funds, titles and other lists of words. */
import { stages } from '@vcds/venture-model';
import { list, table } from './table.ts';

/**
 * The profile of a stage: how many of about a thousand startups have it as their last stage; medians
 * of the amount in thousands of US dollars and of the headcount; spellings of the series in sources,
 * beside its label; outside the ladder, the bounds of the ladder stage that the company has reached.
 */
const stage = (
  share: number,
  raised: number,
  members: number,
  spellings: string,
  after: readonly [low: number, high: number] | null = null,
) => ({ share, raised, members, spellings: spellings.split('|'), after });

/** The profile of stage n is at n - 1. Stages 1 to 11 are the ladder from pre-seed to series H. */
export const STAGES = [
  stage(130, 500, 4, 'Pre Seed|Preseed Round'),
  stage(30, 400, 4, 'Angel Round|Business Angels'),
  stage(255, 2_200, 12, 'Seed Round|Seed II|Seed Extension'),
  stage(125, 11_000, 36, 'A|Series A1|Series A Extension'),
  stage(65, 28_000, 110, 'B|Series B-II'),
  stage(40, 60_000, 240, 'C|Series C-1'),
  stage(20, 100_000, 340, 'D'),
  stage(9, 140_000, 520, 'E'),
  stage(4, 180_000, 720, 'F'),
  stage(2, 210_000, 900, 'G'),
  stage(1, 240_000, 1_100, 'H'),
  stage(20, 6_000, 28, 'Venture Round|Venture', [0, 3]),
  stage(8, 90_000, 340, 'Growth Equity', [6, 8]),
  stage(6, 90_000, 520, 'PE|Buyout', [0, 5]),
  stage(8, 6_000, 60, 'Debt Financing|Venture Debt', [3, 6]),
  stage(14, 600, 4, 'Convertible Note|SAFE', [0, 3]),
  stage(10, 300, 8, 'Grant Award|Public Grant', [0, 3]),
  stage(6, 400, 9, 'Equity Crowdfunding', [0, 3]),
  stage(1, 60_000, 340, 'Secondary Market', [6, 9]),
  stage(4, 15_000, 110, 'Corporate Round|Strategic', [0, 5]),
  stage(1, 220_000, 1_600, 'Post-IPO Equity|PIPE', [6, 9]),
  stage(1, 500, 9, 'Non-Equity Assistance|Prize', [0, 3]),
];

/** The profile of a stage; no other number occurs. */
export const profileOf = (number: number) => STAGES[number - 1] ?? stage(0, 0, 0, '');

export const stageLabel = (stage: number): string => stages[stage - 1]?.label ?? `${stage}`;

/** The name of a stage in a sentence. */
export const stageInText = (stage: number): string =>
  stage === 12 ? 'Venture' : stageLabel(stage);

/** Quantiles of amounts and headcounts as multiples of their medians. */
export const RAISED_SPREAD = [0.15, 0.42, 0.68, 1, 1.4, 2.1, 5];
export const MEMBERS_SPREAD = [0.2, 0.45, 0.7, 1, 1.45, 2.4, 6];
export const UNFUNDED_MEMBERS = [1, 1, 2, 3, 4, 7, 12, 30];

/** Types of funds: name;share;suffixes of the names of its funds;usual mandates. */
export const FUND_TYPES = table(`
VentureFund;62;Ventures|Capital|Venture Partners|Partners|Fund|Kapital|Invest|Seed;
  1 3|1 2 3|3 4|3 4 5|4 5 6|5 6 7 8 13|3|1 3 4 16
Accelerator;8;Accelerator|Launchpad|Runway|Startup Programme;1 3|1|1 2 3 16
PrivateEquity;6;Equity|Buyout Partners|Growth Equity;13 14|14 19|8 9 10 11 13 14|14 15 21
FundOfFunds;2;Fund of Funds|Allocation Partners;|13 14 19
Corporate;8;Corporate Ventures|Industrial Invest|Strategic;4 5 20|5 6 7 20|3 4 20|12 20
AngelGroup;4;Angels|Angel Circle|Business Angels;1 2 3|2 3 16|2 18
FamilyOffice;4;Family Office|Family Holdings;3 4 5|6 7 13 19|2 3 12
Studio;2;Studio|Foundry|Venture Builders;1|1 3
Public;3;Public Fund|Innovation Agency;3 17|1 3 4 17|12 15 17
Other;1;Syndicate|Grants|Endowment|Club;17 22|18 22|16 21 22
`).map(([[name = ''] = [], share, suffixes = [], mandates = []]) => ({
  name,
  share: Number(share),
  suffixes,
  mandates: mandates.map((numbers) => numbers.split(' ').filter(Boolean).map(Number)),
}));

/** Outcomes for the funds that hold a company. `listed`: a fund without a round lists it. */
export const OUTCOMES = ['acquired', 'exited', 'partly', 'stated', 'listed'] as const;

/** Editorial groups, the most frequent first; one has a comma, so that lists have to quote it. */
export const GROUPS = list(`
Early Stage Specialists|Emerging Managers|Climate Investors|Deep Tech Backers|Most Active|
 University Spin-Out Funds|Impact First|Operator-Led|Cross-Border|Health Investors|
 Founders Backing Founders|First Cheque|Women-Led Firms|Fintech Specialists|Growth Stage Leaders|
 Nordic and Baltic Circle|Patient, Evergreen Capital|Regional Champions|Corporate Arms|
 Public Money|Solo General Partners|Food and Land|Mission Lenders|Secondary Buyers`);

export const FUND_TITLES = list(`
General Partner|Partner|Managing Partner|Principal|Investment Manager|Associate|Venture Partner|
 Operating Partner|Analyst|Head of Platform|Chief Financial Officer|Scout`);

/** Titles of founders by slot. */
export const FOUNDER_TITLES = table(`
Founder & CEO|Co-Founder & CEO|Co-Founder & Chief Executive|Founder;
  Co-Founder & CTO|Co-Founder & Chief Scientist|Co-Founder & Chief Product Officer;
  Co-Founder & COO|Co-Founder|Co-Founder & Chief Designer;Co-Founder|Co-Founder & Head of Research
`).flat();

export const HIRE_TITLES = list(
  'Chief Financial Officer|VP Engineering|Head of Marketing|Head of People|General Counsel|VP Sales',
);
export const FUND_MANNERS = list(`
takes a board seat|decides within ten working days|writes the first cheque and follows on|
 prefers to lead|prefers to join a syndicate|publishes its terms|shares its research notes`);
export const PUBLISHERS = list(`
Ledger & Lantern|The Tuesday Prospectus|Kapitalnotiz|Harbour Street Wire|Norrsken Börsblad|
 La Feuille des Fondateurs|El Cuaderno Emprendedor|Runway Review|The Quiet Quarter|Pro Rata Post|
 Founders’ Field Notes|Morning Dilution|Gründerrundschau|The Vesting Times|Dry Powder Digest`);
export const STREETS = list(
  'Copper Row|Tannery Hill|Old Mill Road|Harbour Parade|Station Yard|Weaver Street|North Quay',
);
