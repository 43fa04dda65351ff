import { readFileSync } from 'node:fs';

/** The names that the examples of the README leave to the reader. */
export const README_INPUTS = ['apiKey', 'baseUrl', 'authUrl', 'email', 'id'] as const;

/** The examples of the README as one module, imports first. */
export function readmeModule(): string {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const lines = examples.join('').split('\n');
  const isImport = (line: string): boolean => line.startsWith('import ');
  return [...lines.filter(isImport), ...lines.filter((line) => !isImport(line))].join('\n');
}
