import { MS_PER_DAY } from '@vcds/matching';
import { stages } from '@vcds/venture-model';
import type { Fact } from './facts.ts';

/** Which of the two a hit is; the reasons are about the investor in either case. */
export type HitType = 'fund' | 'startup';

const number = new Intl.NumberFormat('en-US');

/**
 * A fact in one sentence: about the fund of the hit, or about the fund of the call if the hit is a
 * startup.
 *
 * @param nameOf the name of an investor, by its index.
 */
export function reasonText(fact: Fact, hit: HitType, nameOf: (investor: number) => string): string {
  const text = sentence(fact, nameOf);
  return hit === 'fund' ? text : `The fund ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function sentence(fact: Fact, nameOf: (investor: number) => string): string {
  switch (fact.kind) {
    case 'activity':
      return `Invested in ${counted(fact.count, 'company')} since ${fact.since}`;
    case 'recency':
      return `Invested last on ${new Date(fact.day * MS_PER_DAY).toISOString().slice(0, 10)}`;
    case 'tenure':
      return `Has invested since ${fact.year}`;
    case 'companies':
      return `Invested in ${companies(fact)} since ${fact.since}`;
    case 'rounds':
      return rounds(fact);
    case 'amount':
      return `Took part in ${counted(fact.count, 'round')} of $${number.format(fact.fromUsd)} to $${number.format(fact.toUsd)} since ${fact.since}`;
    case 'partner':
      return `Invested in ${counted(fact.count, 'company')} together with ${nameOf(fact.partner)}`;
    case 'home':
      return `Is based in ${fact.city === undefined ? placeText(fact.country) : `${fact.city}, ${fact.country}`}`;
    case 'statedStage':
      return `States ${stageLabel(fact.stage)} as a stage of its investments`;
    case 'statedTags':
      return `States ${fact.tags.join(', ')} as an industry of its investments`;
  }
}

function companies({ count, tag, place }: Fact & { kind: 'companies' }): string {
  const what = tag === undefined ? 'company' : `${tag} company`;
  return `${counted(count, what)}${place === undefined ? '' : ` in ${placeText(place)}`}`;
}

function rounds({ count, led, since, stage, tag, place }: Fact & { kind: 'rounds' }): string {
  const of = tag === undefined ? '' : ` of ${tag} companies`;
  const at =
    place === undefined
      ? ''
      : tag === undefined
        ? ` of companies in ${placeText(place)}`
        : ` in ${placeText(place)}`;
  const what = `${counted(count, `${stageLabel(stage)} round`)}${of}${at} since ${since}`;
  if (led === count) return `Led ${what}`;
  return `Took part in ${what}${led === 0 ? '' : ` and led ${number.format(led)} of them`}`;
}

/** With the article that some names of countries need. */
function placeText(place: string): string {
  return /^(?:United |Netherlands$|Philippines$)| Islands$/.test(place) ? `the ${place}` : place;
}

function stageLabel(stage: number): string {
  return stages.find(({ value }) => value === stage)?.label ?? '';
}

function counted(count: number, thing: string): string {
  const plural = thing.endsWith('y') ? `${thing.slice(0, -1)}ies` : `${thing}s`;
  return `${number.format(count)} ${count === 1 ? thing : plural}`;
}
