/**
 * What other systems call what is here. A closed table, consulted before typing mistakes are
 * counted; nothing in it is accepted, it only makes suggestions. A test checks that every target
 * exists. A synonym stands for its plural, too, whatever its case and separators; where several
 * targets have it, the first that fits the call is suggested.
 */
export { FIELD_SYNONYMS } from './field-synonyms.ts';
export {
  DIMENSION_SYNONYMS,
  ENTITY_SYNONYMS,
  PARAMETER_SYNONYMS,
  PATH_SYNONYMS,
  RELATION_SYNONYMS,
} from './name-synonyms.ts';
export { CLOSED_VALUE_SYNONYMS, OPEN_VALUE_SYNONYMS } from './value-synonyms.ts';
