import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from '@jest/globals';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const;

/**
 * The Chromium of this machine: `VCDS_CHROMIUM`, else the first of its usual names on PATH.
 * Undefined where there is none, or where the variable says `off`.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = environment.VCDS_CHROMIUM ?? '';
  if (named !== '') return named === 'off' ? undefined : named;
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find(isExecutable);
}

/**
 * Tests that drive a real browser. Where there is none, one test is reported as skipped under this
 * name, and says why.
 */
export function describeWithBrowser(name: string, define: (executable: string) => void): void {
  const executable = findChromium();
  describe(name, () => {
    if (executable !== undefined) define(executable);
    else test.skip('needs Chromium: none is on PATH (VCDS_CHROMIUM)', () => undefined);
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
