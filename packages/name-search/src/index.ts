export { LEGAL_END, LEGAL_START } from './legal-phrases.ts';
export { foldName, LEGAL_FORMS, type NameForms, nameForms } from './name-forms.ts';
export {
  compactProbes,
  generalPhrase,
  hostProbes,
  type LookupWords,
  likelyWords,
  lookupWords,
  spellingsOfBoth,
  spellingsOfOthers,
  typosOf,
  typosOfWords,
} from './probes.ts';
export {
  type Asked,
  askedFor,
  bestFirst,
  type MatchedOn,
  type Rankable,
  type Ranked,
  scored,
} from './rank.ts';
export { type WordShare, WordWeights } from './word-weights.ts';
