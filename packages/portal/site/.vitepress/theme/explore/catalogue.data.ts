import { catalogueOf } from './catalogue.ts';
import type { Catalogue } from './entities.ts';

/** VitePress replaces this module by the result of `load`. */
export declare const data: Catalogue;

export default { load: catalogueOf };
