import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceFolders } from './workspace.mjs';

/**
 * Removes what the compiler once wrote for sources that no longer exist: it leaves these files, and code
 * or a program that still names one would run without its source.
 */
export function removeStaleBuilds() {
  for (const folder of workspaceFolders()) {
    const built = join(folder, 'dist');
    if (!existsSync(built)) continue;
    for (const name of readdirSync(built, { recursive: true })) {
      // Only builds of `src` have declarations.
      const stem = /^(.+)\.d\.ts$/.exec(name)?.[1];
      if (stem === undefined || existsSync(join(folder, 'src', `${stem}.ts`))) continue;
      for (const ending of ['.d.ts', '.d.ts.map', '.js', '.js.map']) {
        rmSync(join(built, `${stem}${ending}`), { force: true });
      }
    }
  }
}
