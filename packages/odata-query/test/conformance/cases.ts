import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';

/** Which of our parsers a case is for; a `value` stands to the right of `F eq`. */
export type CaseKind = 'filter' | 'value' | 'orderby' | 'select' | 'expand';

/** A text of another parser's tests, cut down to what one of ours reads. */
export interface Case {
  readonly kind: CaseKind;
  /** The decoded text for our parser. */
  readonly text: string;
  /** Set, rule and index: `abnf/boolCommonExpr/512`. */
  readonly source: string;
  readonly name: string;
  /** Where the source says the text goes wrong, as an offset in `text`; absent if it is valid. */
  readonly failAt?: number;
}

/** Files the cases come from, below the folder of real data. */
export const CASE_FILES: readonly string[] = [
  'odata-abnf/odata-abnf-testcases.yaml',
  'odata-abnf/odata-aggregation-testcases.yaml',
  'odata-abnf/odata-temporal-testcases.yaml',
  'odata-jaystack/cases.json',
  'odata-jaystack/primitive-cases.json',
  'filter-conformance/oasis-all.json',
  'filter-conformance/filter-expressions_dev.json',
];

/** Rules of the OASIS grammar whose text is what stands in a filter. */
const EXPRESSION_RULES: ReadonlySet<string> = new Set([
  'commonExpr',
  'boolCommonExpr',
  'boolcommonExpr',
  'notExpr',
  'anyExpr',
  'isofExpr',
  'firstMemberExpr',
  'propertyPathExpr',
]);

/** Rules whose text is a value of a filter. */
const VALUE_RULE =
  /^(?:primitiveLiteral|primitiveValue|boolean|booleanValue|nullValue|"null"|guid|guidValue|date|dateValue|dateTimeOffsetValue|dateTimeOffsetLiteral|dateTimeOffsetValueInUrl|timeOfDay\w+|duration\w*|decimal\w+|double\w+|single\w+|s?byte\w+|int(?:16|32|64)\w+|string|stringLiteral|stringInUrl|enum\w*|binary\w*|geo\w+)$/;

const OPTION = /^\$?(filter|orderby|select|expand)=/i;
const OPTION_KINDS: ReadonlyMap<string, CaseKind> = new Map([
  ['filter', 'filter'],
  ['orderby', 'orderby'],
  ['select', 'select'],
  ['expand', 'expand'],
]);

interface RawCase {
  readonly set: string;
  readonly index: number;
  readonly rule: string;
  readonly name: string;
  readonly input: string;
  readonly failAt: number | undefined;
}

/** Every case of the sets, in the order of the files. */
export function readCases(folder: string): Case[] {
  const [abnf, aggregation, temporal, jaystack, primitive, all, expressions] = CASE_FILES;
  const raw = [
    ...oasisCases('abnf', parseYaml(read(folder, abnf), { schema: 'failsafe' })),
    ...oasisCases('aggregation', parseYaml(read(folder, aggregation), { schema: 'failsafe' })),
    ...oasisCases('temporal', parseYaml(read(folder, temporal), { schema: 'failsafe' })),
    ...oasisCases('jaystack', { TestCases: JSON.parse(read(folder, jaystack)) }),
    ...oasisCases('jaystack-primitive', { TestCases: JSON.parse(read(folder, primitive)) }),
    ...oasisCases('oasis-all', { TestCases: JSON.parse(read(folder, all)) }),
    ...expressionCases(JSON.parse(read(folder, expressions))),
  ];
  return raw.flatMap(casesOf);
}

/** Every input of the sets as it stands, whatever rule it is for. */
export function readInputs(folder: string): string[] {
  const inputs = new Set<string>();
  for (const { text } of readCases(folder)) inputs.add(text);
  for (const file of CASE_FILES.slice(0, -1)) {
    const content: unknown = file.endsWith('.yaml')
      ? parseYaml(read(folder, file), { schema: 'failsafe' })
      : { TestCases: JSON.parse(read(folder, file)) };
    for (const { input } of oasisCases(file, content)) inputs.add(input);
  }
  return [...inputs];
}

/** The id of a case in the checked-in list: a digest of parser and text. */
export function caseKey({ kind, text }: Pick<Case, 'kind' | 'text'>): string {
  return createHash('sha256').update(`${kind}\0${text}`).digest('hex').slice(0, 16);
}

function read(folder: string, file = ''): string {
  return readFileSync(join(folder, file), 'utf8');
}

function oasisCases(set: string, content: unknown): RawCase[] {
  const { TestCases: list } = content as { TestCases: readonly Record<string, string>[] };
  return list.map((entry, index) => {
    const failAt = entry.FailAt ?? entry['-FailAt'];
    return {
      set,
      index,
      rule: entry.Rule ?? entry['-Rule'] ?? '',
      name: entry.Name ?? entry['-Name'] ?? '',
      input: entry.Input ?? '',
      failAt: failAt === undefined ? undefined : Number(failAt),
    };
  });
}

function expressionCases(content: unknown): RawCase[] {
  const list = content as readonly { expr: string; name: string; rule: string }[];
  return list.map(({ expr, name }, index) => ({
    set: 'expressions',
    index,
    rule: 'boolCommonExpr',
    name,
    input: expr,
    failAt: undefined,
  }));
}

function casesOf(raw: RawCase): Case[] {
  const { rule, input, failAt } = raw;
  if (EXPRESSION_RULES.has(rule)) return [caseOf(raw, 'filter', input, failAt)];
  if (VALUE_RULE.test(rule)) return [caseOf(raw, 'value', input, failAt)];
  if (/^(?:filter|select|expand|orderby)$/i.test(rule)) return optionCases(raw, input, 0);
  const query = input.indexOf('?');
  const start = query === -1 ? 0 : query + 1;
  if (query === -1 && rule !== 'queryOptions') return [];
  const cases: Case[] = [];
  let offset = start;
  for (const option of input.slice(start).split('&')) {
    cases.push(...optionCases(raw, option, offset));
    offset += option.length + 1;
  }
  return cases;
}

function optionCases(raw: RawCase, option: string, offset: number): Case[] {
  const match = OPTION.exec(option);
  const kind = OPTION_KINDS.get(match?.[1]?.toLowerCase() ?? '');
  if (match === null || kind === undefined) return [];
  const start = offset + match[0].length;
  const end = offset + option.length;
  const isInside = raw.failAt !== undefined && raw.failAt >= start && raw.failAt <= end;
  const failAt = isInside && raw.failAt !== undefined ? raw.failAt - start : undefined;
  return [caseOf(raw, kind, option.slice(match[0].length), failAt)];
}

function caseOf(raw: RawCase, kind: CaseKind, encoded: string, failAt?: number): Case {
  const { set, rule, index, name } = raw;
  const source = `${set}/${rule}/${index}`;
  const text = decode(encoded);
  return failAt === undefined || text !== encoded
    ? { kind, text, source, name }
    : { kind, text, source, name, failAt };
}

/** Undoes percent-encoding; a text with a stray `%` stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
