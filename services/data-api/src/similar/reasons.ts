/** Why two companies are alike, in plain English (docs/spec/similar.md 24.2). */
import { investorTypes, memberBuckets, stages } from '@vcds/venture-model';
import {
  comparesWord,
  type Factor,
  type Facts,
  type Kind,
  type Part,
  type Rarity,
} from './score.ts';
import type { Candidate, Subject } from './sql.ts';

export interface Reason {
  readonly Factor: Factor;
  /** The share of the factor in the score. */
  readonly Weight: number;
  readonly Text: string;
}

/** Of one company. */
export const REASONS_MAX = 5;
const NAMED_MAX = 3;
const WORDS_NAMED = 5;

type Explained = Candidate & { readonly compared: Facts; readonly parts: readonly Part[] };
type Compared = Subject & { readonly compared: Facts };

/** @param names of some companies in both portfolios. */
export function reasonsOf(
  kind: Kind,
  subject: Compared,
  hit: Explained,
  rarity: Rarity,
  names: readonly string[],
): readonly Reason[] {
  const total = hit.parts.reduce((sum, { part }) => sum + part, 0);
  return hit.parts.slice(0, REASONS_MAX).map(({ factor, part }) => ({
    Factor: factor,
    Weight: Math.round((part / total) * 1_000) / 1_000,
    Text: textOf(factor, { kind, subject, hit, rarity, names }),
  }));
}

interface Pair {
  readonly kind: Kind;
  readonly subject: Compared;
  readonly hit: Explained;
  readonly rarity: Rarity;
  readonly names: readonly string[];
}

function textOf(factor: Factor, { kind, subject, hit, rarity, names }: Pair): string {
  const [one, other] = [subject.compared, hit.compared];
  const both = <T>(a: readonly T[], b: readonly T[]) => a.filter((value) => b.includes(value));
  const rarest = (values: readonly string[], of: (value: string) => number) =>
    values.toSorted((a, b) => of(b) - of(a) || (a < b ? -1 : 1));
  switch (factor) {
    case 'tags': {
      const tags = rarest(both(one.tags, other.tags), rarity.ofTag);
      return `Both have the ${tags.length === 1 ? 'industry' : 'industries'} ${listed(tags, 5)}`;
    }
    case 'words': {
      const shared = both(one.words, other.words).filter(comparesWord(one, other));
      const spelled = rarest(shared, rarity.ofWord)
        .filter((stem) => rarity.ofWord(stem) > 0)
        .map((stem) => subject.spelled[stem] ?? stem);
      return `Both profiles have the ${spelled.length === 1 ? 'word' : 'words'} ${listed(spelled, WORDS_NAMED)}`;
    }
    case 'investors': {
      const shared = subject.investors.filter(({ id }) => hit.investors.includes(id));
      const named = shared.map(({ name }) => name);
      return `Both have the ${named.length === 1 ? 'investor' : 'investors'} ${listed(named, NAMED_MAX)}`;
    }
    case 'portfolio': {
      const [count] = hit.portfolio;
      if (names.length === count) return `Both invested in ${listed(names, NAMED_MAX)}`;
      const which = names.length === 0 ? '' : `, among them ${listed(names, NAMED_MAX)}`;
      return `Both invested in ${count} companies${which}`;
    }
    case 'place': {
      const [place] = [
        ...both(one.cities, other.cities),
        ...both(one.regions, other.regions),
        ...both(one.countries, other.countries),
      ];
      return `Both are in ${place}`;
    }
    case 'stage': {
      const shared = both(one.stages, other.stages).map(stageLabel);
      if (kind === 'fund') return `Both state ${listed(shared, 5)} as a stage of their investments`;
      if (shared.length > 0) return `Both raised ${shared[0]} last`;
      return `They raised ${stageLabel(one.stages[0])} and ${stageLabel(other.stages[0])} last`;
    }
    case 'types':
      return `Both are investors of the kind ${listed(both(one.types, other.types).map(typeLabel), NAMED_MAX)}`;
    case 'size':
      return one.size === other.size
        ? `Both have ${bucketLabel(one.size)} people`
        : `They have ${bucketLabel(one.size)} and ${bucketLabel(other.size)} people`;
  }
}

function bucketLabel(size: number | null): string {
  return memberBuckets.find(({ value }) => value === size)?.label ?? 'some';
}

function stageLabel(stage: number | undefined): string {
  return stages.find(({ value }) => value === stage)?.label ?? 'a stage';
}

function typeLabel(type: string): string {
  return investorTypes.find(({ value }) => value === type)?.label ?? type;
}

/** At most so many names; the number of the others. */
function listed(names: readonly string[], max: number): string {
  const shown = names.slice(0, max);
  const others = names.length - shown.length;
  const last = others > 0 ? `${others} more` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`;
}
