/** Measures the ranking on real investments: `npm run bench -- matching-quality`. */
import { evaluate, MS_PER_DAY } from '@vcds/matching';
import { loadLando, loadOctober } from './matching/load-sets.ts';

const loadOrganizations = () => loadLando(['company_investments.csv']);

const SETS = [
  ['October 2013', loadOctober, '2012-04-01'],
  ['lando224', loadLando, '2013-08-15'],
  ['lando224, organizations', loadOrganizations, '2013-08-15'],
] as const;

const figure = ({ mean, low, high }: { mean: number; low: number; high: number }) =>
  `${mean.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;

for (const [name, load, day] of SETS) {
  const startMs = performance.now();
  const split = Date.parse(day) / MS_PER_DAY;
  const { questions, candidates, model, methods } = evaluate(load(), { split });
  const seconds = Math.round((performance.now() - startMs) / 1000);
  console.log(`\n${name}, split at ${day}: ${candidates} candidates, ${JSON.stringify(questions)}`);
  console.log(`${model.questions} training questions, ${model.rows} rows, ${seconds} s in all`);
  for (const side of ['cold', 'warm'] as const) {
    console.log(`\n| ${side} | NDCG@10 | MRR | Recall@10 | Recall@50 | learnt ranking ahead by |`);
    for (const method of methods) {
      const { ndcg10, mrr, recall10, recall50 } = method[side];
      const cells = [ndcg10, mrr, recall10, recall50, method.behindBy[side]].map(figure);
      console.log(`| ${method.name} | ${cells.join(' | ')} |`);
    }
  }
}
