import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from '@jest/globals';
import { repositoryRoot } from '@vcds/local-stack/state';

/** Where sets of real data are looked for: `VCDS_DATA_DIR`, else beside the repository. */
export function dataFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(environment.VCDS_DATA_DIR || join(repositoryRoot, '../shared/data'));
}

/**
 * Tests that need real data. Where the folder, or one of the files named (paths within it), is
 * absent, one test is reported as skipped under this name, and says why.
 */
export function describeWithData(
  name: string,
  define: (folder: string) => void,
  files: readonly string[] = [],
): void {
  const folder = dataFolder();
  const missing = [folder, ...files.map((file) => join(folder, file))].find(
    (path) => !existsSync(path),
  );
  describe(name, () => {
    if (missing === undefined) define(folder);
    else test.skip(`needs real data: ${missing} is not there (VCDS_DATA_DIR)`, () => undefined);
  });
}
