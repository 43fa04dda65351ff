import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Example, examplesOf } from '../src/examples.ts';
import { PLACEHOLDER_URLS } from '../src/index.ts';

const run = promisify(execFile);
const portal = fileURLToPath(new URL('../', import.meta.url));
const SITE = join(portal, 'site');
const COMPILER = join(portal, '../../node_modules/typescript/bin/tsc');
/** Beside the package, so that `@vcds/client` resolves. */
const FOLDER = join(portal, 'dist/examples');

/** An example and the name of its page. */
export interface PageExample extends Example {
  readonly page: string;
}

/** Every example of the pages that a reader writes for, without the copied specification. */
export function allExamples(): PageExample[] {
  return readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('spec'))
    .sort()
    .flatMap((page) =>
      examplesOf(readFileSync(join(SITE, page), 'utf8')).map((example) => ({ page, ...example })),
    );
}

/** Runs examples against a product. @throws Error with the output of a failed one. */
export function openExamples(product: { readonly dataUrl: string; readonly apiKey: string }) {
  const env = { ...process.env, VCDS_API_KEY: product.apiKey };
  const codeOf = ({ code }: Example) =>
    code.replaceAll(PLACEHOLDER_URLS.dataPublicUrl, product.dataUrl);
  const written = (examples: readonly PageExample[], extension: string): string[] => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    return examples.map((example, index) => {
      const name = `${index}-${example.page.replaceAll(/\W/g, '-')}.${extension}`;
      writeFileSync(join(FOLDER, name), codeOf(example));
      return name;
    });
  };
  return {
    /** The output of a `curl` example. */
    curl: async (example: PageExample): Promise<string> =>
      (await run('bash', ['-c', codeOf(example)], { env })).stdout,
    /** Compiles the examples strictly and runs all of them in one process. */
    typeScript: async (examples: readonly PageExample[]): Promise<void> => {
      const names = written(examples, 'mts');
      const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
      await run(
        process.execPath,
        [COMPILER, ...options, '--ignoreConfig', '--skipLibCheck', ...names],
        {
          cwd: FOLDER,
        },
      );
      const program = names
        .map((name) => `await import('./${name.replace('mts', 'mjs')}');`)
        .join('\n');
      writeFileSync(join(FOLDER, 'all.mjs'), program);
      await run(process.execPath, ['all.mjs'], { cwd: FOLDER, env });
    },
    /** Runs the examples in one process, with stand-ins for packages outside the standard library. */
    python: async (examples: readonly PageExample[]): Promise<void> => {
      const names = written(examples, 'py');
      cpSync(join(portal, 'test/python'), FOLDER, { recursive: true });
      const program = `import runpy\nfor name in ${JSON.stringify(names)}: runpy.run_path(name)`;
      await run('python3', ['-c', program], { cwd: FOLDER, env });
    },
  };
}

/** Whether Python can run examples here. */
export async function hasPython(): Promise<boolean> {
  return run('python3', ['--version']).then(
    () => true,
    () => false,
  );
}

/** Members that only some signals have. */
const OPTIONAL = new Set(['object', 'amount', 'label']);

/**
 * Where two answers differ in their members or types. An empty list and null stand for anything.
 */
export function differences(one: unknown, other: unknown, path = 'answer'): string[] {
  if (one === null || other === null) return [];
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length * other.length === 0 ? [] : differences(one[0], other[0], `${path}[0]`);
  }
  if (typeof one !== typeof other || Array.isArray(one) !== Array.isArray(other)) return [path];
  if (typeof one !== 'object') return [];
  const [left, right] = [one, other] as Record<string, unknown>[];
  return [...new Set([...Object.keys(one), ...Object.keys(other as object)])].flatMap((name) => {
    const isMissing = left?.[name] === undefined || right?.[name] === undefined;
    if (isMissing) return OPTIONAL.has(name) ? [] : [`${path}.${name}`];
    return differences(left[name], right[name], `${path}.${name}`);
  });
}
