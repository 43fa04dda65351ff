/** A metric that a source file registers. */
export interface Metric {
  readonly kind: 'Counter' | 'Gauge' | 'Histogram' | 'Summary';
  readonly name: string;
  /** Undefined if they are not a list of texts in the source. */
  readonly labels?: readonly string[] | undefined;
}

const CONSTRUCTORS = /new (Counter|Gauge|Histogram|Summary)\b(?:<[^>]*>)?\(/g;
const NAMED = /new (Counter|Gauge|Histogram|Summary)\b(?:<[^>]*>)?\(\{\s*name(?:: '([^']*)')?,/g;
const HELPER_CALLS = /(?<!new )\b(counter|gauge|histogram|summary)\(\s*'([^']*)'/g;

/**
 * The metrics that a source file registers: with `new Gauge({ name: '…',`, or in a function `gauge`
 * whose first argument is the name.
 * @throws Error if a name cannot be read.
 */
export function findMetrics(source: string): Metric[] {
  const named = [...source.matchAll(NAMED)];
  const helped = [...source.matchAll(HELPER_CALLS)];
  const byHelper = named.filter(([, , name]) => name === undefined).length;
  const unread = [...source.matchAll(CONSTRUCTORS)].length - named.length;
  if (unread > 0 || (byHelper > 0 && helped.length === 0)) {
    throw new Error('A metric has a name that is not a text in its source.');
  }
  return [
    ...named.map(({ 1: kind = '', 2: name, index }) => ({
      kind,
      name,
      labels: labelsAt(source, index),
    })),
    ...helped.map(([, helper = '', name]) => ({ kind: capitalized(helper), name })),
  ].filter((metric): metric is Metric => metric.name !== undefined);
}

/** The labels of the metric whose constructor is at `index`. */
function labelsAt(source: string, index: number): readonly string[] | undefined {
  const [, options = ''] = /\(\{(.*?)\n\s*\}\)/s.exec(source.slice(index)) ?? [];
  if (!/\blabelNames\b/.test(options)) return [];
  const [, list] = /\blabelNames: \[([^\]]*)\]/.exec(options) ?? [];
  if (list === undefined || /\.\.\./.test(list)) return undefined;
  return [...list.matchAll(/'(\w+)'/g)].map(([, label = '']) => label);
}

const UNITS = ['seconds', 'bytes', 'ratio'];
const OTHER_UNITS = /_(ms|milliseconds|minutes|hours|kb|mb|percent)(_total)?$/;
const ABBREVIATIONS =
  /_(avg|cfg|cnt|conn|db|dur|err|idx|lat|msg|num|req|res|resp|sec|svc|tot)(_|$)/;

/** The rules of Prometheus, and of this product, that the name of a metric violates. */
export function errorsOfName({ kind, name }: Metric): string[] {
  const isTotal = name.endsWith('_total');
  const rules: readonly (readonly [boolean, string])[] = [
    [/^vcds(_[a-z0-9]+)+$/.test(name), 'begins with vcds_ and is in snake case'],
    [isTotal === (kind === 'Counter'), 'ends with _total if it is a counter, and only then'],
    [kind !== 'Histogram' || UNITS.some((unit) => name.endsWith(`_${unit}`)), 'ends with a unit'],
    [!OTHER_UNITS.test(name), `has a base unit (${UNITS.join(', ')})`],
    [!/_(count|sum|bucket)$/.test(name), 'does not end like a series of a histogram'],
    [!ABBREVIATIONS.test(name), 'has no abbreviations'],
  ];
  return rules.filter(([holds]) => !holds).map(([, rule]) => `${name}: ${rule}`);
}

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
