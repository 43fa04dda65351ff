import { BlockIndex, positionsOf } from './block-index.ts';
import { type Clusters, cluster, type Edge, type Ruling } from './cluster.ts';
import type { Compiled } from './compile.ts';
import { decide } from './decide.ts';
import { type Crowd, sizeClass } from './features.ts';
import { keysOf } from './keys.ts';

/** Bytes that are allocated at once. */
const CHUNK = 2 ** 24;

/**
 * Resolves all statements of an entity at once. A statement is kept as its bytes, outside the heap:
 * about 400 bytes, 100 for its keys, and 8 for each candidate pair.
 */
export class Resolver {
  readonly #index: BlockIndex;
  readonly #sources = new Map<string, number>();
  readonly #chunks: Buffer[] = [];
  readonly #starts: Float64Array;
  readonly #lengths: Uint32Array;
  #used = 0;
  #statements = 0;
  #candidates = 0;
  #lastId = '';

  /** @param statementsMax how many will be added at most. */
  constructor(statementsMax: number) {
    this.#index = new BlockIndex(statementsMax);
    this.#starts = new Float64Array(statementsMax);
    this.#lengths = new Uint32Array(statementsMax);
  }

  get statements(): number {
    return this.#statements;
  }

  /** Pairs that were compared; known after the edges. */
  get candidates(): number {
    return this.#candidates;
  }

  /** How many more may be added. */
  get room(): number {
    return this.#starts.length - this.#statements;
  }

  /** Adds a statement; ids ascend. */
  add(statement: Compiled): void {
    if (statement.id <= this.#lastId) throw new RangeError('The ids of statements must ascend.');
    if (this.room === 0) throw new RangeError('The resolver is full.');
    this.#lastId = statement.id;
    const source = this.#sources.get(statement.source) ?? this.#sources.size;
    this.#sources.set(statement.source, source);
    this.#index.add(source, keysOf(statement));
    this.#write(Buffer.from(JSON.stringify(statement)));
  }

  /** Compares the candidates. Yields the edges that are a match or for review. Once. */
  *edges(): Generator<Edge> {
    const pairs = this.#index.pairs();
    this.#candidates = pairs.length;
    const crowd = this.crowd();
    let low: Compiled | undefined;
    let lowAt = -1;
    for (const pair of pairs) {
      const [first, second] = positionsOf(pair);
      if (first !== lowAt || low === undefined) {
        low = this.#read(first);
        lowAt = first;
      }
      const edge = edgeOf(low, this.#read(second), crowd);
      if (edge !== null) yield edge;
    }
  }

  /** The crowd of all statements; complete after the edges. */
  crowd(): Crowd {
    return { statements: sizeClass(this.#statements), holders: (key) => this.#index.holders(key) };
  }

  has(id: string): boolean {
    return this.find(id) !== undefined;
  }

  /** The statement of an id, by binary search. */
  find(id: string): Compiled | undefined {
    let [low, high] = [0, this.#statements];
    while (low < high) {
      const middle = (low + high) >> 1;
      const found = this.#idAt(middle);
      if (found === id) return this.#read(middle);
      if (found < id) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  #write(bytes: Buffer): void {
    if (this.#used + bytes.length > this.#chunks.length * CHUNK) {
      this.#used = this.#chunks.length * CHUNK;
      this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK));
    }
    this.#chunks.at(-1)?.set(bytes, this.#used % CHUNK);
    this.#starts[this.#statements] = this.#used;
    this.#lengths[this.#statements] = bytes.length;
    this.#used += bytes.length;
    this.#statements += 1;
  }

  /** The id of a statement, which is the first member of its JSON. */
  #idAt(position: number): string {
    const start = this.#starts[position] ?? 0;
    const from = (start % CHUNK) + '{"id":"'.length;
    const chunk = this.#chunks[Math.floor(start / CHUNK)];
    return chunk?.toString('utf8', from, chunk.indexOf('"', from)) ?? '';
  }

  #read(position: number): Compiled {
    const start = this.#starts[position] ?? 0;
    const offset = start % CHUNK;
    const end = offset + (this.#lengths[position] ?? 0);
    return JSON.parse(this.#chunks[Math.floor(start / CHUNK)]?.toString('utf8', offset, end) ?? '');
  }
}

/** The edge of two statements; null if they are apart. */
export function edgeOf(a: Compiled, b: Compiled, crowd: Crowd): Edge | null {
  const [low, high] = a.id < b.id ? [a, b] : [b, a];
  const { weight, verdict, veto } = decide(low, high, crowd);
  if (verdict === 'apart') return null;
  return {
    ...{ low: low.id, high: high.id, lowSource: low.source, highSource: high.source },
    ...{ weight, verdict, veto },
  };
}

/** Resolves statements that fit in memory, in any order. */
export function resolve(
  statements: readonly Compiled[],
  rulings: readonly Ruling[] = [],
): Clusters {
  const resolver = new Resolver(statements.length);
  for (const statement of [...statements].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    resolver.add(statement);
  }
  return clustersOf(resolver, rulings);
}

/** The clusters of a filled resolver. */
export function clustersOf(resolver: Resolver, rulings: readonly Ruling[]): Clusters {
  const edges = [...resolver.edges()];
  const crowd = resolver.crowd();
  const known = rulings.filter(({ low, high }) => resolver.has(low) && resolver.has(high));
  return cluster(
    edges,
    known,
    vetoOn((id) => resolver.find(id), crowd),
  );
}

/** Whether a veto keeps two of these statements apart. */
export function vetoOn(find: (id: string) => Compiled | undefined, crowd: Crowd) {
  return (low: string, high: string): boolean => {
    const [a, b] = [find(low), find(high)];
    return a !== undefined && b !== undefined && decide(a, b, crowd).veto !== null;
  };
}
