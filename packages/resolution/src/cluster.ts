import type { Verdict } from './decide.ts';
import type { Veto } from './vetoes.ts';

/** A compared pair, `low` before `high` in the order of ids. */
export interface Edge {
  readonly low: string;
  readonly high: string;
  readonly lowSource: string;
  readonly highSource: string;
  readonly weight: number;
  readonly verdict: Verdict;
  readonly veto: Veto | null;
}

/** An operator's decision on two statements. */
export interface Ruling {
  readonly low: string;
  readonly high: string;
  readonly verdict: 'merge' | 'apart';
}

export interface Clusters {
  /** The company of each statement that shares one: the least id of the cluster. */
  readonly companyOf: ReadonlyMap<string, string>;
  /** Pairs that an operator may decide, the strongest first. */
  readonly reviews: readonly Edge[];
  /** The pairs that were compared and are of one company. */
  readonly merged: readonly Edge[];
}

/** Two candidates of one source that are closer than this, in nats, are ambiguous. */
const MARGIN = 1.5;
/** Statements of one company; more than any company has sources. */
const CLUSTER_MAX = 50;

/**
 * The companies of compared statements: the strongest edge first; two clusters stay apart if any
 * two of their statements do. It depends on the sets of edges and rulings only, never on their order.
 *
 * @param isApart whether a veto keeps two statements apart; rulings are applied before it.
 */
export function cluster(
  edges: readonly Edge[],
  rulings: readonly Ruling[],
  isApart: (low: string, high: string) => boolean,
): Clusters {
  const ruled = new Map(rulings.map(({ low, high, verdict }) => [pairKey(low, high), verdict]));
  const groups = new Groups();
  const isKeptApart = (a: string, b: string): boolean => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const ruling = ruled.get(pairKey(low, high));
    return ruling === undefined ? isApart(low, high) : ruling === 'apart';
  };
  const isRuledApart = (a: string, b: string): boolean =>
    ruled.get(a < b ? pairKey(a, b) : pairKey(b, a)) === 'apart';
  for (const { low, high, verdict } of [...rulings].sort(byIds)) {
    if (verdict === 'merge') groups.join(low, high, isRuledApart);
  }
  const sorted = [...edges].sort((a, b) => b.weight - a.weight || byIds(a, b));
  const open = sorted.filter(({ low, high }) => !ruled.has(pairKey(low, high)));
  const isAmbiguous = ambiguityOf(open);
  const reviews: Edge[] = [];
  for (const edge of open) {
    const isMatch = edge.verdict === 'match' && edge.veto === null && !isAmbiguous(edge);
    if (edge.verdict === 'apart') continue;
    if (!isMatch || !groups.join(edge.low, edge.high, isKeptApart)) reviews.push(edge);
  }
  const companyOf = groups.companies();
  const isMerged = ({ low, high }: Edge): boolean =>
    companyOf.get(low) !== undefined && companyOf.get(low) === companyOf.get(high);
  return {
    companyOf,
    merged: open.filter(isMerged),
    reviews: reviews.filter((edge) => !isMerged(edge)),
  };
}

const pairKey = (low: string, high: string): string => `${low} ${high}`;

function byIds(a: { low: string; high: string }, b: { low: string; high: string }): number {
  if (a.low !== b.low) return a.low < b.low ? -1 : 1;
  return a.high === b.high ? 0 : a.high < b.high ? -1 : 1;
}

/** Whether another statement of the same source fits one end of an edge about as well. */
function ambiguityOf(sorted: readonly Edge[]): (edge: Edge) => boolean {
  const best = new Map<string, readonly [Edge, Edge | undefined]>();
  const ends = (edge: Edge) => [`${edge.low} ${edge.highSource}`, `${edge.high} ${edge.lowSource}`];
  for (const edge of sorted) {
    if (edge.verdict === 'apart' || edge.veto !== null) continue;
    for (const end of ends(edge)) {
      const [first, second] = best.get(end) ?? [];
      if (first === undefined) best.set(end, [edge, undefined]);
      else if (second === undefined) best.set(end, [first, edge]);
    }
  }
  return (edge) =>
    ends(edge).some((end) => {
      const [first, second] = best.get(end) ?? [];
      const rival = first === edge ? second : first;
      return rival !== undefined && rival.weight > edge.weight - MARGIN;
    });
}

/** Disjoint sets of ids with their members. */
class Groups {
  readonly #groups = new Map<string, string[]>();

  /** @returns false if the two stay apart. */
  join(a: string, b: string, isApart: (a: string, b: string) => boolean): boolean {
    const [one, other] = [this.#groups.get(a) ?? [a], this.#groups.get(b) ?? [b]];
    if (one === other) return true;
    if (one.length + other.length > CLUSTER_MAX) return false;
    if (one.some((x) => other.some((y) => isApart(x, y)))) return false;
    const joined = [...one, ...other];
    for (const id of joined) this.#groups.set(id, joined);
    return true;
  }

  companies(): ReadonlyMap<string, string> {
    const companies = new Map<string, string>();
    for (const [id, group] of this.#groups) {
      companies.set(id, [...group].sort()[0] ?? id);
    }
    return companies;
  }
}
