/**
 * Patterns of paths as a tree of their segments: literal ones, `:name`, and `*name` at the end. A path
 * is matched as Express 5 does: case-sensitively, on the encoded path, with or without one slash at its
 * end.
 */
interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  parameter?: Node<Value>;
  leaf?: Leaf<Value>;
  wildcard?: Leaf<Value>;
}

interface Leaf<Value> {
  /** Of the parameters, in their order. */
  readonly names: readonly string[];
  readonly value: Value;
}

/** The value of a matching pattern, and the percent-decoded parameters. */
export interface Match<Value> {
  readonly value: Value;
  readonly parameters: Record<string, string>;
}

/**
 * A function that finds the value of a path; a literal segment precedes a parameter, and a parameter a
 * wildcard, in any order of the patterns.
 *
 * @throws URIError for a parameter with invalid percent-encoding.
 */
export function routeTree<Value>(
  patterns: ReadonlyMap<string, Value>,
): (path: string) => Match<Value> | undefined {
  const root: Node<Value> = { literals: new Map() };
  for (const [pattern, value] of patterns) insert(root, segmentsOf(pattern), value);
  return (path) => {
    // The target of `OPTIONS *`.
    if (!path.startsWith('/')) return undefined;
    // The root with a slash at its end.
    const segments = path === '//' ? [] : segmentsOf(path);
    const found: string[] = [];
    const leaf = find(root, segments, 0, found);
    if (leaf === undefined) return undefined;
    const parameters: Record<string, string> = Object.create(null);
    leaf.names.forEach((name, i) => {
      parameters[name] = decodeURIComponent(found[i] ?? '').normalize('NFC');
    });
    return { value: leaf.value, parameters };
  };
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function insert<Value>(root: Node<Value>, segments: readonly string[], value: Value): void {
  const names: string[] = [];
  let node = root;
  for (const segment of segments) {
    if (segment.startsWith('*')) {
      node.wildcard = { names, value };
      return;
    }
    if (segment.startsWith(':')) names.push(segment.slice(1));
    node = childOf(node, segment);
  }
  node.leaf = { names, value };
}

function childOf<Value>(node: Node<Value>, segment: string): Node<Value> {
  if (segment.startsWith(':')) {
    node.parameter ??= { literals: new Map() };
    return node.parameter;
  }
  const child = node.literals.get(segment) ?? { literals: new Map() };
  node.literals.set(segment, child);
  return child;
}

// Its depth is at most that of the tree.
function find<Value>(
  node: Node<Value>,
  segments: readonly string[],
  at: number,
  found: string[],
): Leaf<Value> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.leaf;
  const literal = node.literals.get(segment);
  const leaf = literal && find(literal, segments, at + 1, found);
  if (leaf !== undefined) return leaf;
  if (node.parameter !== undefined && segment !== '') {
    found.push(segment);
    const below = find(node.parameter, segments, at + 1, found);
    if (below !== undefined) return below;
    found.pop();
  }
  return node.wildcard;
}
