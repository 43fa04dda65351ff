import { BOUNDS } from '../bounds.ts';
import { echo } from '../echo.ts';
import { QueryError } from '../query-error.ts';
import { type KnownName, namesMeant } from '../suggest/names-meant.ts';
import { withHint } from '../suggest/repair-operand.ts';
import { type ListGrammar, listError, readItems } from './list-text.ts';

/** One relation as written: `Startups`, or `Startups($skip=100;$top=10)`. */
interface ExpandItem {
  readonly name: string;
  readonly position: number;
  /** The number of related records to skip. */
  readonly skip: number;
  /** The most related records to return, 1 to {@link BOUNDS.relatedRecords}. */
  readonly top: number;
}

/** Relations as written, with their parameter, which errors contain. */
export interface ExpandList {
  readonly parameter: string;
  readonly items: readonly ExpandItem[];
}

const SKIP = String.raw`\$skip=(?:0|[1-9]\d{0,8})`;
const TOP = String.raw`\$top=(?:[1-9]\d?|100)`;
const OPTIONS = new RegExp(String.raw`\((${SKIP}(?:;${TOP})?|${TOP}(?:;${SKIP})?)\)`, 'y');

const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  [
    '(',
    `Options in parentheses other than ($skip=n;$top=n), with $top of 1 to ${BOUNDS.relatedRecords}, are not supported.`,
  ],
  ['/', 'Paths such as /$ref or /$count are not supported: relations are expanded as a whole.'],
  ['*', 'Name the relations to expand: each one adds to the price.'],
]);

/**
 * Reads a comma separated list of relation names, each with optional `($skip=n;$top=n)` in any order,
 * `$skip` of at most nine digits. Errors contain the parameter's name.
 *
 * @throws QueryError `bad_parameter`, also for a relation named twice: each one has its price.
 */
export function parseExpand(text: string, parameter = '$expand'): ExpandList {
  const grammar: ListGrammar = {
    parameter,
    example: 'Tags,Addresses',
    wordsMax: 1,
    star: false,
    unsupported: UNSUPPORTED,
    option: OPTIONS,
  };
  const seen = new Set<string>();
  const items: ExpandItem[] = [];
  for (const [word] of readItems(text, grammar)) {
    if (seen.has(word.text)) {
      throw listError(`Duplicate relation ${echo(word.text)} in ${parameter}.`, word, grammar);
    }
    seen.add(word.text);
    const { text: name, position, option = '' } = word;
    const skip = numberOf('$skip', option) ?? 0;
    const top = numberOf('$top', option) ?? BOUNDS.relatedRecords;
    items.push(Object.freeze({ name, position, skip, top }));
  }
  return Object.freeze({ parameter, items: Object.freeze(items) });
}

function numberOf(name: string, options: string): number | undefined {
  const option = options.split(';').find((each) => each.startsWith(`${name}=`));
  return option === undefined ? undefined : Number(option.slice(name.length + 1));
}

/**
 * The relations asked for, in the order of the resource's own list.
 *
 * @param synonymsOf what other systems call a relation, for suggestions.
 * @throws QueryError `unknown_relation` with the relation that was meant.
 */
export function bindExpand<R extends string>(
  list: ExpandList,
  relations: readonly R[],
  synonymsOf: (relation: R) => readonly string[] | undefined = () => undefined,
): readonly R[] {
  const known = new Set<string>(relations);
  const wanted = new Set<string>();
  for (const { name, position } of list.items) {
    if (!known.has(name)) {
      const names = relations.map((relation) => ({
        name: relation,
        synonyms: synonymsOf(relation),
      }));
      throw unknownRelation(list.parameter, name, position, names);
    }
    wanted.add(name);
  }
  return Object.freeze(relations.filter((relation) => wanted.has(relation)));
}

function unknownRelation(
  parameter: string,
  name: string,
  position: number,
  relations: readonly KnownName[],
): QueryError {
  const [suggestion] = namesMeant(name, relations);
  const message =
    relations.length === 0
      ? `'${echo(name)}' cannot be expanded: this resource has no relations.`
      : withHint(`Unknown relation '${echo(name)}'.`, suggestion);
  const allowed = relations.slice(0, BOUNDS.errorAllowed).map((relation) => relation.name);
  const details = { parameter, position, value: echo(name), allowed, suggestion };
  return new QueryError('unknown_relation', message, details);
}
