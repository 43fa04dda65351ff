/** How much is raised at each stage, and how rounds are written. */

/** What one stage looks like; `stages[n - 1]` is the stage numbered n. */
export interface StageLook {
  /** Quantiles of what is raised, in thousands of US dollars. */
  readonly raised: readonly number[];
  /** How sources write the series, beside the label of the stage. */
  readonly spellings: readonly string[];
  /** Quantiles of the headcount of companies that got this far. */
  readonly members: readonly number[];
  /** For stages off the ladder: the least and most mature rung a company had reached before. */
  readonly after: readonly [low: number, high: number] | null;
}

const look = (
  raised: string,
  spellings: string,
  members: string,
  after: readonly [number, number] | null = null,
): StageLook =>
  Object.freeze({
    raised: raised.split(' ').map(Number),
    spellings: spellings === '' ? [] : spellings.split('|'),
    members: members.split(' ').map(Number),
    after,
  });

const small = '1 2 3 4 6 9 16';
const later = '60 140 220 340 520 900 2600';

export const stageLooks: readonly StageLook[] = [
  look('50 150 300 500 800 1200 2500', 'Pre Seed|Preseed Round', small),
  look('20 60 120 250 400 700 1500', 'Angel Round|Business Angels', small),
  look(
    '200 700 1300 2200 3500 5000 12000',
    'Seed Round|Seed II|Seed Extension',
    '2 5 8 12 17 27 70',
  ),
  look(
    '2000 5000 8000 11000 15000 22000 60000',
    'A|Series A1|Series A Extension',
    '6 15 24 36 52 80 190',
  ),
  look('6000 14000 20000 28000 38000 55000 150000', 'B|Series B-II', '18 45 75 110 160 240 600'),
  look(
    '12000 28000 42000 60000 85000 130000 350000',
    'C|Series C-1',
    '35 100 160 240 350 520 1400',
  ),
  look('20000 45000 70000 100000 150000 220000 600000', 'D', later),
  look('25000 60000 95000 140000 210000 320000 800000', 'E', '90 220 340 520 800 1400 4200'),
  look('30000 80000 120000 180000 260000 400000 1000000', 'F', '120 300 480 720 1100 1900 5600'),
  look('40000 90000 140000 210000 300000 480000 1200000', 'G', '150 380 600 900 1400 2500 7200'),
  look('50000 100000 160000 240000 350000 560000 1500000', 'H', '180 450 720 1100 1700 3100 9000'),
  look(
    '500 1500 3000 6000 10000 18000 50000',
    'Venture Round|Venture',
    '3 9 16 28 45 80 240',
    [0, 3],
  ),
  look('15000 35000 60000 90000 140000 220000 700000', 'Growth Equity', later, [6, 8]),
  look(
    '8000 25000 50000 90000 160000 300000 1500000',
    'PE|Buyout',
    '40 120 260 520 1100 2600 14000',
    [0, 5],
  ),
  look(
    '300 1000 2500 6000 14000 35000 150000',
    'Debt Financing|Venture Debt',
    '5 14 30 60 110 200 700',
    [3, 6],
  ),
  look('50 150 300 600 1000 1800 5000', 'Convertible Note|SAFE', small, [0, 3]),
  look('20 60 150 300 700 1500 8000', 'Grant Award|Public Grant', '1 3 5 8 13 22 60', [0, 3]),
  look('30 100 200 400 700 1200 4000', 'Equity Crowdfunding', '2 4 6 9 13 20 50', [0, 3]),
  look('5000 15000 30000 60000 110000 200000 700000', 'Secondary Market', later, [6, 9]),
  look(
    '1000 4000 8000 15000 28000 60000 300000',
    'Corporate Round|Strategic',
    '10 30 60 110 190 350 1200',
    [0, 5],
  ),
  look(
    '20000 60000 120000 220000 400000 700000 3000000',
    'Post-IPO Equity|PIPE',
    '150 400 800 1600 3200 7000 24000',
    [6, 9],
  ),
  look('20 80 200 500 1200 3000 12000', 'Non-Equity Assistance|Prize', '1 3 5 9 15 26 80', [0, 3]),
];

/** Headcounts of companies that never raised. */
export const unfundedMembers: readonly number[] = [1, 1, 2, 3, 4, 7, 12, 30];
