import type { Database } from '../execute/database.ts';
import type { CategorySources } from '../execute/execute-category.ts';
import { ValueResolver } from '../execute/resolve-values.ts';
import { SqlFacetEngine } from './sql/sql-engine.ts';

export { ColumnarFacetEngine } from './columnar/index.ts';
export { FacetMaintainer, type MaintainerOptions } from './maintain/maintainer.ts';
export { type SettleOptions, settleFacets } from './maintain/settle-facets.ts';
export { type Facets, type FacetsOptions, openFacets } from './open-facets.ts';
export type * from './port.ts';
export { compareValues } from './port.ts';
export { SqlFacetEngine } from './sql/sql-engine.ts';

/** Category listings answered by the database alone. */
export function sqlCategories(database: Database): CategorySources {
  return { values: new ValueResolver(database), facets: new SqlFacetEngine(database) };
}
