/** The picture of an answer that a page of the documentation shows. */
import { type Aggregates, type FiguresView, viewOfRows } from './figures.ts';

export interface NamedAggregates extends Aggregates {
  readonly entity: string;
  readonly measures: readonly string[];
  readonly by: readonly string[];
}

/** The measure to draw: the last one, which a page asks for beside the number of records. */
export function answerView(answer: NamedAggregates): FiguresView {
  const { measures, by, entity } = answer;
  return viewOfRows(answer, {
    by,
    figures: measures.map((name) => ({ name, title: titleOf(name, entity), unit: unitOf(name) })),
    drawn: measures.length - 1,
    keyTitle: by.map((key) => WORDS[key] ?? key.replaceAll('_', ' ')).join(' and '),
    hasOwnOrder: true,
  });
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ 'year(Date)': 'year', 'quarter(Date)': 'quarter', 'month(Date)': 'month' },
  ...{ round_stage: 'stage', 'year(FirstInvestmentDate)': 'year of the first investment' },
};
const NAMES: Readonly<Record<string, string>> = {
  ...{ sum: 'Sum', average: 'Average', median: 'Median', min: 'Least', max: 'Greatest' },
  ...{ p25: 'Lower quartile', p75: 'Upper quartile', p90: '90th percentile' },
  countdistinct: 'Different values',
};

function titleOf(name: string, entity: string): string {
  const [, of = '', field = ''] = /^(\w+)\((\w+)\)$/.exec(name) ?? [];
  if (field === '') return `Number of ${entity}`;
  const words = field.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return `${NAMES[of] ?? of} of ${words}`;
}

function unitOf(name: string): 'usd' | 'number' {
  return /^(?!countdistinct).*\((?:\w*Amount|TotalRaised|LatestPostValuation)\)$/.test(name)
    ? 'usd'
    : 'number';
}
