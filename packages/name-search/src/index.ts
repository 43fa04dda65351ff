export { foldName, LEGAL_FORMS, type NameForms, nameForms } from './name-forms.ts';
export { compactProbes, discriminativeWords, hostProbes, typosOf, typosOfWords } from './probes.ts';
export {
  type Asked,
  askedFor,
  bestFirst,
  type MatchedOn,
  type Rankable,
  type Ranked,
  scored,
} from './rank.ts';
export { weightDespiteTypo } from './word-weights.ts';
