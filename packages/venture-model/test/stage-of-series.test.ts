// Tests docs/spec/import.md 14.6.
import { expect, test } from '@jest/globals';
import { stageOfSeries, stages } from '../src/index.ts';

/** Texts of sources for each stage, with every text of the real data sets. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  SeriesA: ['a', 'A', 'series-a', 'Series A', 'Series A-1', 'SERIES A1', 'series a+', 'A round'],
  SeriesB: ['b', 'series-b', 'Round B', 'Serie B', 'Série B', 'Series B Extension', 'Class B'],
  SeriesC: ['c', 'series-c+', 'Series C1 Preferred', 'Pre-Series D', 'Series C, Bridge', 'C轮'],
  SeriesD: ['d', 'Series D-3', 'Series D (second close)'],
  SeriesE: ['e'],
  SeriesF: ['f', 'series_f'],
  SeriesG: ['g'],
  SeriesH: ['h', 'SeriesH'],
  Seed: ['seed', 'Seed Funding', 'seed_round', 'Series Seed', 'Seed+', 'Seed II', 'Pre-Series A'],
  PreSeed: ['pre_seed', 'Pre-Seed Round', 'Friends & Family', 'Accelerator/Incubator'],
  Angel: ['angel', 'Angel Round', 'Angel (individual)', '天使轮'],
  Venture: ['venture', 'Venture - Series Unknown', 'Series Unknown', 'Early Stage VC'],
  Growth: ['Growth Equity', 'Late Stage VC', 'Series K'],
  PrivateEquity: ['private_equity', 'private-equity', 'Buyout/LBO', 'PE Growth/Expansion'],
  Debt: ['debt_round', 'debt_financing', 'Venture Debt', 'Mezzanine', 'Debt – General', 'Loan'],
  Convertible: ['Convertible Note', 'convertible_note', 'SAFE', 'Bridge', 'Wandeldarlehen'],
  Grant: ['grant', 'Subvention', 'non_equity_assistance'],
  Crowdfunding: ['crowdfunding', 'equity_crowdfunding', 'Product Crowdfunding'],
  Secondary: ['secondary_market', 'Secondary Transaction - Private'],
  Corporate: ['corporate_round', 'Strategic Investment'],
  PostIpo: ['post-ipo', 'post_ipo_equity', 'Post-IPO Debt', 'PIPE', 'IPO'],
  Other: ['other', 'ICO', 'initial_coin_offering'],
};

test.each(Object.entries(WRITTEN))('%s is named by what sources write for it', (name, texts) => {
  const named = (text: string) => stages.find(({ value }) => value === stageOfSeries(text))?.name;
  for (const text of texts) expect([text, named(text)]).toEqual([text, name]);
});

test('a text that names several stages, or none, has no stage', () => {
  const texts = ['', '-', 'Seed/Series A', 'Angel/Seed', 'x', 'i', 'First round', 'Acquisition'];
  const unknown = ['unknown', 'Undisclosed', 'Unknown Round', 'unspecified', 'unattributed', 'N/A'];
  for (const text of [...texts, ...unknown, 'a'.repeat(300)]) {
    expect([text, stageOfSeries(text)]).toEqual([text, undefined]);
  }
});

test('every row of the list of stages names itself', () => {
  for (const { name, slug, label, value } of stages) {
    expect([name, slug, label].map(stageOfSeries)).toEqual([value, value, value]);
  }
});
