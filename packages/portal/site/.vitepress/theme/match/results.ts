/** The results of a list, and the file that has them. */
import { csvText } from '../explore/figures.ts';
import { type ListItem, type Problem, titlesOf } from './items.ts';
import type { ListFile } from './list-file.ts';

/** A record, with the members that the page shows (docs/spec/match.md 26.2). */
export interface MatchedRecord {
  readonly Id: string;
  readonly Type: string;
  readonly Name: string;
  readonly Website: string | null;
  readonly Location: string | null;
  readonly Country: readonly string[];
  readonly Score: number;
}

export interface MatchResult {
  readonly ref: string;
  readonly verdict: 'match' | 'candidates' | 'none';
  readonly reason: string;
  readonly explanation: string;
  readonly record: MatchedRecord | null;
  readonly candidates: readonly MatchedRecord[];
  readonly problems: readonly Problem[];
}

/** A row of the list with its result, and the record that it is or that the reader chose. */
export interface ResultRow {
  readonly of: ListItem;
  readonly result: MatchResult;
  readonly record: MatchedRecord | undefined;
  readonly problems: readonly Problem[];
}

/** Of a row that has nothing to look up, and is therefore not sent. */
const NOTHING: Omit<MatchResult, 'ref'> = {
  ...{ verdict: 'none', reason: 'nothing-readable', record: null, candidates: [], problems: [] },
  explanation: 'The row has no name, website or identifier. It was not sent.',
};

/** The rows that have a result, in the order of the list. */
export function resultRows(
  items: readonly ListItem[],
  results: ReadonlyMap<string, MatchResult>,
  chosen: ReadonlyMap<string, string>,
): ResultRow[] {
  return items.flatMap((of) => {
    const { ref } = of.item;
    const result = of.isSent ? results.get(ref) : { ref, ...NOTHING };
    if (result === undefined) return [];
    const record = result.record ?? result.candidates.find(({ Id }) => Id === chosen.get(ref));
    return [{ of, result, record, problems: [...of.problems, ...result.problems] }];
  });
}

/** The web page of a record, if its address is one that is safe to follow. */
export function pageOf({ Website }: MatchedRecord): string | undefined {
  return Website !== null && /^https?:\/\//i.test(Website) ? Website : undefined;
}

export function problemText({ member, value, message }: Problem): string {
  return `${member} “${value}”: ${message}`;
}

/** The list with its results beside it, as the reader's spreadsheet opens it. */
export function resultFile(list: ListFile, hasTitles: boolean, rows: readonly ResultRow[]): string {
  const titles = ['Verdict', 'Reason', 'Id', 'Type', 'Name', 'Website', 'Location', 'Country'];
  const lines = rows.map(({ of, result, record, problems }) => [
    ...Array.from({ length: list.width }, (_, index) => of.row.cells[index] ?? ''),
    result.record === null && record !== undefined ? 'chosen' : result.verdict,
    result.reason,
    ...[record?.Id, record?.Type, record?.Name, record?.Website, record?.Location].map(
      (text) => text ?? '',
    ),
    record?.Country.join('; ') ?? '',
    record === undefined ? '' : String(record.Score),
    result.candidates.map(({ Id, Name }) => `${Name} (${Id})`).join('; '),
    result.explanation,
    problems.map(problemText).join(' '),
  ]);
  const added = [...titles, 'Score', 'Candidates', 'Explanation', 'Problems'];
  const head = [...titlesOf(list, hasTitles), ...added.map((title) => `Match: ${title}`)];
  // By the mark, spreadsheets read it as UTF-8.
  return `\uFEFF${csvText([head, ...lines], list.delimiter)}`;
}
