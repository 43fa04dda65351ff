/** Regular expressions of mappings, in the syntax of RE2: the work of each is linear in the text. */
import { RE2JS } from 're2js';

/** What a pattern found: the whole match, its first group and its named groups. */
export interface Found {
  readonly all: string;
  readonly first: string | undefined;
  readonly named: Readonly<Record<string, string | undefined>>;
}

export interface Pattern {
  /** The first match, anywhere unless the pattern is anchored. */
  find(text: string): Found | undefined;
}

/**
 * Compiles a pattern. RE2 knows named groups, classes and Unicode, and neither look-around nor
 * back-references.
 * @throws RE2JSException where it is not a pattern.
 */
export function compilePattern(source: string): Pattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  return {
    find(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      const named: Record<string, string | undefined> = {};
      for (const [name, value] of Object.entries(matcher.getNamedGroups())) {
        named[name] = value ?? undefined;
      }
      const first = matcher.groupCount() > 0 ? (matcher.group(1) ?? undefined) : undefined;
      return { all: matcher.group() ?? '', first, named };
    },
  };
}

/** Why a text is no pattern; undefined where it is one. */
export function patternFault(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
