import { quantile } from '../support/figures.ts';

/** The figures of one run, by their keys. */
export type Run = Readonly<Record<string, number>>;

/** A figure that a comparison shows. */
export interface Figure {
  readonly key: string;
  /** With its unit. */
  readonly title: string;
}

/** One line: what ran in turns under the same load. */
export interface ComparedLine {
  readonly labels: readonly string[];
  /** By the name of what ran. The runs of one turn have the same index. */
  readonly runs: ReadonlyMap<string, readonly Run[]>;
}

/** The measurements of a part of the report. */
export interface Comparison {
  readonly title: string;
  /** Describes the systems that are compared, in Markdown. */
  readonly text: string;
  /** Of the labels of a line. */
  readonly heads: readonly string[];
  /** The name of what the others are compared to. */
  readonly baseline: string;
  readonly figures: readonly Figure[];
  readonly lines: readonly ComparedLine[];
}

/** Ratios of the runs of the same turns. */
export interface Ratio {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** The median of a figure; NaN without runs. */
export const medianOf = (runs: readonly Run[], key: string): number =>
  quantile(
    runs.map((run) => run[key] ?? Number.NaN),
    0.5,
  );

/** A figure as a multiple of the baseline's in the same turn; undefined without common turns. */
export function ratioOf(own: readonly Run[], base: readonly Run[], key: string): Ratio | undefined {
  const ratios = own
    .map((run, turn) => (run[key] ?? Number.NaN) / (base[turn]?.[key] ?? Number.NaN))
    .filter(Number.isFinite);
  if (ratios.length === 0) return undefined;
  return {
    median: quantile(ratios, 0.5),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}
