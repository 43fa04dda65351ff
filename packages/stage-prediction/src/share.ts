/** Predictions and how many of them were right. */
export interface Share {
  readonly of: number;
  readonly right: number;
  /** 95 %. */
  readonly interval: readonly [low: number, high: number];
}

const Z = 1.96;

export function share(right: number, of: number): Share {
  return { of, right, interval: wilsonInterval(right, of) };
}

/** The 95 % interval of a share after Wilson; [0, 1] for none. */
export function wilsonInterval(right: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const share = right / of;
  const center = share + (Z * Z) / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  const scale = 1 + (Z * Z) / of;
  return [(center - spread) / scale, (center + spread) / scale];
}
