export { BLOCK_MAX, BlockIndex, positionsOf, STATEMENTS_MAX } from './block-index.ts';
export { ChangeIndex } from './change-index.ts';
export { type Clusters, cluster, type Edge, type Ruling } from './cluster.ts';
export { type Compiled, compile } from './compile.ts';
export { type Decision, decide, METHOD, type Reason, reasonsOf, type Verdict } from './decide.ts';
export {
  type Crowd,
  FEATURES,
  type FeatureName,
  type Features,
  featuresOf,
  sizeClass,
} from './features.ts';
export { hash32 } from './hash.ts';
export { crowdKeysOf, KEYS_MAX, keysOf, nameCrowdKey, siteCrowdKey } from './keys.ts';
export { distinctWords, type NameKey, nameKey, namesIn, rarityOf } from './names.ts';
export { clustersOf, edgeOf, Resolver, resolve, vetoOn } from './resolver.ts';
export { type EntityNumber, LIST_MAX, type StatedRound, type Statement } from './statement.ts';
export { contradicts, type Veto, vetoOf } from './vetoes.ts';
export { WEIGHTS, type WeightTable } from './weights.ts';
export { WORD_CLASSES } from './word-classes.ts';
