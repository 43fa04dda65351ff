import { stages } from '@vcds/venture-model';
import type { StageReport } from './evaluate.ts';
import type { Share } from './share.ts';

const DAY_MS = 86_400_000;

/** The report as lines of Markdown. */
export function formatStageReport(report: StageReport): string {
  const { model, all, baseline, served, servedStrict } = report;
  const { stages: predicted, thresholds, gapDaysMax } = model;
  const limits = predicted.flatMap((stage, k) => {
    const threshold = thresholds[k] ?? null;
    return threshold === null ? [] : [`${labelOf(stage)} from ${threshold.toFixed(2)}`];
  });
  const split = new Date(model.trainedBefore * DAY_MS).toISOString().slice(0, 10);
  return [
    `Predictions of the next stage on ${split}, from the rounds before that day`,
    '',
    `Served: ${limits.join(', ') || 'nothing'}. No stage after ${gapDaysMax} days without a round.`,
    '',
    '| Predictions | Companies | Right | 95 % interval |',
    '| --- | ---: | ---: | --- |',
    row('most frequent stage after the last one', baseline),
    row('most probable stage of the model', all),
    row(`served (${percent(report.coverage)} of the companies)`, served),
    ...report.servedByStage.map((each) => row(`served: ${labelOf(each.stage)}`, each)),
    row('served, a next round without a stage counted as wrong', servedStrict),
    '',
    `Calibration error ${report.calibrationError.toFixed(3)}, Brier score ${report.brier.toFixed(3)}.`,
    '',
    '| Probability | Companies | Mean probability | Right | 95 % interval |',
    '| --- | ---: | ---: | ---: | --- |',
    ...report.bins.map(
      ({ from, meanProbability, ...share }) =>
        `| ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)} | ${share.of} | ${meanProbability.toFixed(2)} | ${figures(share)} |`,
    ),
    '',
  ].join('\n');
}

function row(name: string, share: Share): string {
  return `| ${name} | ${share.of} | ${figures(share)} |`;
}

function figures({ right, of, interval: [low, high] }: Share): string {
  return of === 0 ? ' | ' : `${percent(right / of)} | ${percent(low)} to ${percent(high)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function labelOf(stage: number): string {
  return stages.find(({ value }) => value === stage)?.label ?? String(stage);
}
