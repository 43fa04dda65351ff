// Hooks of Node's module loader: TypeScript without types, the test functions of globals.mjs in place of
// Jest's, few runs of properties, and modules that are loaded again for each mutant.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { transform } = createRequire(`${process.cwd()}/package.json`)('@swc/core');
const REPLACED = new Map(
  ['@jest/globals', 'fast-check'].map((name) => [
    name,
    new URL(`${name.split('/').at(-1)}.mjs`, import.meta.url).href,
  ]),
);
const OPTIONS = { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } };
const compiled = new Map();

export async function resolve(specifier, context, next) {
  const url = REPLACED.get(specifier);
  if (url !== undefined) return { url, shortCircuit: true };
  const found = await next(specifier, context);
  const generation = new URL(context.parentURL ?? 'file:///').searchParams.get('generation');
  const isOfSandbox =
    found.url.endsWith('.ts') && fileURLToPath(found.url).startsWith(process.cwd());
  return generation !== null && isOfSandbox
    ? { ...found, url: `${found.url}?generation=${generation}` }
    : found;
}

export async function load(url, context, next) {
  const file = url.startsWith('file:') ? fileURLToPath(url) : '';
  if (!file.endsWith('.ts')) return next(url, context);
  if (!compiled.has(file)) compiled.set(file, await compile(file));
  return { format: 'module', source: compiled.get(file), shortCircuit: true };
}

async function compile(file) {
  const { code } = await transform(await readFile(file, 'utf8'), { ...OPTIONS, filename: file });
  return code;
}
