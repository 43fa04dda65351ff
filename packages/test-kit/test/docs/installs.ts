/** Commands that install a package by its name, and what follows them in the line. */
const INSTALLER =
  /\b(?:npx|bunx|uvx|npm (?:i|install|add|exec|x)|pnpm (?:add|dlx|exec)|yarn (?:add|dlx)|bun add|deno add|pipx? install)\b((?:[ "',]+[^\s"'`,|)]+)*)/g;
/** Modules that a program loads from a registry. */
const LOADED = /\b(?:npm:|jsr:|esm\.sh\/|unpkg\.com\/|cdn\.jsdelivr\.net\/npm\/)[^\s"'`)]+/g;

/** Addresses, files, and the words that stand for a name. */
const SAFE = /^(?:https?:\/\/|\.{0,2}\/|\S+\.tgz$|[A-Z_]+$|\{)/;
/** Packages of others, which exist. */
const OF_OTHERS = [/^pnpm@\d/, /^vitepress$/, /^(?:pandas|requests)$/, /^@duckdb\/node-api$/];

/** The packages that a text takes from a registry and that are not known to exist. */
export function namesIn(text: string): string[] {
  const loaded = [...flat(text).matchAll(LOADED)].map(([name]) => name);
  return [...flat(text).matchAll(INSTALLER)]
    .flatMap(([line, rest = '']) => {
      const words = rest.split(/[ "',]+/).filter((word) => word !== '' && word !== '--');
      const given = words.flatMap((word) => /^--package=(.+)/.exec(word)?.[1] ?? []);
      const named = words.filter((word) => !word.startsWith('-'));
      // After --package comes the name of a program; npx takes one package, then arguments.
      const isOne = /^(?:npx|bunx|uvx|npm (?:exec|x)|pnpm dlx)/.test(line);
      return given.length > 0 ? given : named.slice(0, isOne ? 1 : named.length);
    })
    .concat(loaded)
    .filter((name) => !SAFE.test(name) && !OF_OTHERS.some((pattern) => pattern.test(name)));
}

/** A configuration of several lines as one line. */
const flat = (text: string) =>
  text.replace(
    /"command": ?"(npx|bunx|uvx)",\s*"args": ?\[([^\]]*)\]/g,
    (_, name, args) => `${name} ${String(args).replace(/\s+/g, ' ')}`,
  );
