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
export {
  FIGURES,
  type Figure,
  type FigureType,
  figureNumber,
  storedFigure,
} from './figures.ts';
export { INDEXED, type Indexed, type IndexedId, indexedById, type TextId } from './indexed.ts';
export { type EntityLinks, LINKS, REVERSED } from './links.ts';
