/** The links of a record: ids of four words each, and codes of tags, 0 for none. */
export interface LinkedIds {
  readonly ids: Uint32Array;
  readonly tags: Int32Array | undefined;
  readonly length: number;
}

export const NO_LINKS: LinkedIds = { ids: new Uint32Array(0), tags: undefined, length: 0 };

/** The state of a record beside the values of its dimensions. */
export interface RecordState {
  readonly links?: readonly LinkedIds[];
  /** By index of the entity's figures; NaN for none, as for those that are missing. */
  readonly figures?: Float64Array;
}

/** Whether two records have the same figures. */
export function equalFigures(one: Float64Array, other: Float64Array): boolean {
  return one.every((figure, index) => Object.is(figure, other[index]));
}
