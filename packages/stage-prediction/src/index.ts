export type { StageCompany, StageRound } from './company.ts';
export { evaluateStages, type StageReport } from './evaluate.ts';
export { formatStageReport } from './format-report.ts';
export { expectedStage, type StageModel } from './model.ts';
export type { Share } from './share.ts';
export { trainStages } from './train.ts';
