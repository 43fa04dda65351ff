/** Regular expressions of mappings, in the syntax of RE2, which take time linear in the text. */
import { RE2JS } from 're2js';

/** A match: the whole text, the first group and the named groups. */
export interface Found {
  readonly all: string;
  readonly first: string | undefined;
  readonly named: Readonly<Record<string, string | undefined>>;
}

/** Finds the first match, anywhere unless the pattern is anchored. */
export type Pattern = (text: string) => Found | undefined;

/**
 * Compiles a pattern. RE2 supports named groups, classes and Unicode, but not look-around or
 * back-references.
 * @throws RE2JSException if it is invalid.
 */
export function compilePattern(source: string): Pattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  return (text) => {
    const matcher = compiled.matcher(text);
    if (!matcher.find()) return undefined;
    const named: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(matcher.getNamedGroups())) {
      named[name] = value ?? undefined;
    }
    const first = matcher.groupCount() > 0 ? (matcher.group(1) ?? undefined) : undefined;
    return { all: matcher.group() ?? '', first, named };
  };
}

/** The fault of a pattern; undefined if it is valid. */
export function patternError(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
