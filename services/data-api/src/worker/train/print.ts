/** The results of the commands as text. */
import { type Estimate, type EvaluationReport, MS_PER_DAY } from '@vcds/matching';
import { stages } from '@vcds/venture-model';
import type { ModelSummary } from '../../models/model-store.ts';
import type { StageReport } from '../stages/evaluate-stages.ts';
import type { BackTest, TrainedModel } from './train.ts';

const GAP = '  ';
const number = new Intl.NumberFormat('en-US');
const percent = new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 1 });

/** The outcome of a training. */
export function trainedText({ version, dataStamp, metrics, bytes }: TrainedModel): string {
  const { startups, funds, investments, lastRoundDate } = dataStamp;
  const rows = [
    ['version', version],
    ['startups', number.format(startups)],
    ['funds', number.format(funds)],
    ['investments', number.format(investments)],
    ['last round', lastRoundDate ?? 'none'],
    ['bytes', number.format(bytes)],
  ];
  const report = isReport(metrics) ? ['', evaluationText(metrics)] : [];
  return [...tableOf(rows), ...report].join('\n');
}

/** The figures of every method, for companies without and with earlier investors. */
export function evaluationText(report: EvaluationReport): string {
  const { split, until, candidates, questions, methods } = report;
  const head = ['', 'NDCG@10', '95 % interval', 'learnt ahead by', '95 % interval'];
  const tables = (['cold', 'warm'] as const).flatMap((side) => {
    const rows = methods.map(({ name, [side]: { ndcg10, recall10, recall50, mrr }, behindBy }) => [
      ...[name, ...withInterval(ndcg10), ...withInterval(behindBy[side])],
      ...[recall10, recall50, mrr].map(({ mean }) => fixed(mean)),
    ]);
    const title = `${side}: ${number.format(questions[side])} companies`;
    return ['', title, ...tableOf([[...head, 'Recall@10', 'Recall@50', 'MRR'], ...rows])];
  });
  const range = `Investments from ${dayText(split)} to before ${dayText(until)}`;
  return [`${range}; ${number.format(candidates)} candidates.`, ...tables].join('\n');
}

/** How often the predictions of next stages were right. */
export function stagesText({ companies, predicted, byStage, strict }: StageReport): string {
  const share = predicted.of / Math.max(1, companies);
  const rows = [
    ['all', predicted] as const,
    ...byStage.map((each) => [stageLabel(each.stage), each] as const),
    ['with a next round without a series counted as wrong', strict] as const,
  ].map(([name, { of, right }]) => [
    ...[name, number.format(of), of === 0 ? '' : percent.format(right / of)],
  ]);
  const title = `Next stages: ${percent.format(share)} of ${number.format(companies)} companies have a prediction`;
  return [title, ...tableOf([['', 'companies', 'right'], ...rows])].join('\n');
}

/** One line per stored model. */
export function modelsText(models: readonly (ModelSummary & { readonly bytes: number })[]): string {
  if (models.length === 0) return 'No model is stored. Train one: npm run matching -- train';
  const rows = models.map(({ version, createdAt, dataStamp, bytes }) => [
    ...[version, createdAt.toISOString(), number.format(dataStamp.investments)],
    ...[dataStamp.lastRoundDate ?? 'none', number.format(bytes)],
  ]);
  const head = ['version', 'created', 'investments', 'last round', 'bytes'];
  return tableOf([head, ...rows]).join('\n');
}

function isReport(metrics: BackTest): metrics is EvaluationReport {
  return 'methods' in metrics;
}

function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join(GAP)
      .trimEnd(),
  );
}

function withInterval({ mean, low, high }: Estimate): string[] {
  return [fixed(mean), `${fixed(low)} to ${fixed(high)}`];
}

function fixed(figure: number): string {
  return figure.toFixed(3);
}

function stageLabel(stage: number): string {
  return stages.find(({ value }) => value === stage)?.label ?? String(stage);
}

/** The day of a number, `YYYY-MM-DD`. */
export function dayText(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}
