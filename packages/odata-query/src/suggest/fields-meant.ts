import type { FieldSpec, FieldTable } from '../field-spec.ts';
import { namesMeant } from './names-meant.ts';

/** The fields a name may mean among those that `isUsable`, the likeliest first. */
export function fieldsMeant<F extends FieldSpec>(
  table: FieldTable<F>,
  name: string,
  isUsable: (field: F) => boolean,
): readonly F[] {
  const usable = [...table.values()].filter(isUsable);
  return namesMeant(name, usable).flatMap((meant) => table.get(meant) ?? []);
}
