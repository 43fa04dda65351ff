import type { DataFolder } from '@vcds/test-kit/bench';
import type { Peer } from '../peers/peers.ts';
import type { Comparison } from './comparison.ts';

/** The options and data of all parts. */
export interface PartContext {
  /** The records of a corpus; started when a part first needs it. */
  readonly openData: () => Promise<DataFolder>;
  readonly peers: readonly Peer[];
  /** Names of lines of HTTP; empty: all. */
  readonly lines: string;
  readonly clients: readonly number[];
  readonly runs: number;
  readonly seconds: number;
  /** Startups of an import. */
  readonly imported: number;
}

/** A part of the report. */
export type Part = (context: PartContext) => Promise<Comparison>;
