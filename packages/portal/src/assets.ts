import { existsSync, readFileSync } from 'node:fs';
import { ASSETS } from './index.ts';

const DESCRIPTIONS = new URL('../../../docs/openapi/', import.meta.url);

/** The files beside the website, by name. */
export function assets(): ReadonlyMap<string, string> {
  const descriptions = [
    [ASSETS.dataApi, 'data-api.json'],
    [ASSETS.accessApi, 'access-api.json'],
  ] as const;
  return new Map(
    descriptions
      .map(([name, source]) => [name, new URL(source, DESCRIPTIONS)] as const)
      .filter(([, source]) => existsSync(source))
      .map(([name, source]) => [name, readFileSync(source, 'utf8')]),
  );
}
