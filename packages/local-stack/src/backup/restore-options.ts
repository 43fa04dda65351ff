import type { Product } from '../stack/product.ts';
import type { Progress } from '../stack/progress.ts';
import type { StackSettings } from '../stack/settings.ts';
import { StackError } from '../stack/stack-error.ts';
import type { Manifest } from './manifest.ts';

export interface RestoreOptions {
  readonly folder: string;
  /** Replace a database that exists. */
  readonly replace: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** Default: this product. */
  readonly product?: Product;
}

export interface Restore extends RestoreOptions {
  readonly settings: StackSettings;
  readonly manifest: Manifest;
}

/** @throws StackError if there is data that may not be replaced. */
export function assertReplaced({ replace }: Restore, exists: boolean, place: string): void {
  if (!exists || replace) return;
  throw new StackError(`${place} has data. Add --replace to delete it and restore the backup.`);
}
