export { canonicalCountry, countryName, loadCountryNames } from '../countries/countries.ts';
export {
  type Dimension,
  type DimensionId,
  type DimensionKind,
  type Reading,
  valueOfText,
} from './dimension.ts';
export {
  DIMENSION_IDS,
  DIMENSIONS,
  dimensionById,
  dimensionOf,
  dimensionsOf,
} from './dimensions.ts';
export {
  ENTITIES,
  ENTITY_IDS,
  type Entity,
  type EntityId,
  type EntityRelation,
  entityOf,
  isListedOfStartup,
  RELATIONS,
  type RelationId,
  TOTAL,
} from './entity.ts';
export { type EntityLinks, LINKS, REVERSED } from './links.ts';
export type { MeasureUnit } from './measure-units.ts';
export {
  INDEXED,
  type Indexed,
  type IndexedId,
  indexedById,
  MEASURES,
  type Measure,
  type MeasureId,
  measureNumber,
} from './measures.ts';
