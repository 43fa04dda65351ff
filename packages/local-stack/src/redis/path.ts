import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The first executable of this name on PATH. */
export async function onPath(
  name: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const folder of (environment.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return undefined;
}
