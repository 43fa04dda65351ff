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
  TOTAL,
} from './entity.ts';
export { type MeasureUnit, textRange } from './measure-units.ts';
export {
  INDEXED,
  INSTANTS,
  type Indexed,
  type IndexedId,
  type Instant,
  indexedById,
  instantOfParts,
  instantParts,
  MEASURES,
  type Measure,
  type MeasureId,
  measureNumber,
  measureValue,
  roundedFrom,
  storedRange,
} from './measures.ts';
