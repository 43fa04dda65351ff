/** The scenarios of the history: changes of startups and funds over time. */
import type { ImportLine, PatchLine } from '@vcds/importer';
import { startupLines } from './base.ts';
import { describeStartup } from './descriptions.ts';
import { type Fund, fundLine } from './funds.ts';
import { exitOf, holdingLine, otherFund } from './holdings.ts';
import { companyNewsLine, roundNewsLine } from './news.ts';
import { observationLine } from './observations.ts';
import { hireOf, type Member, partnerOf, peopleLines, positionLine } from './people.ts';
import { type Company, newAddress, refTo, rounded, type Stamp } from './profile.ts';
import type { Random } from './random.ts';
import { investorLine, roundKey, roundLine, valuationLine } from './round-lines.ts';
import { isPriced, isValued, nextRound, postMoneyOf, type Round, stagesAfter } from './rounds.ts';
import { shown } from './spec.ts';
import { fundsOf, type Startup, startupLine } from './startups.ts';
import { COMMON_TAGS, GROUPS } from './words/tables.ts';

/** A step of a scenario for one startup or fund; the scenario began on the day `begun`. */
export interface Moment<C> {
  readonly company: C;
  readonly day: number;
  readonly stamp: Stamp;
  readonly begun: number;
  readonly random: Random;
}

/** The lines of a step; none if it does not apply to the company. */
type Action<C> = (moment: Moment<C>) => ImportLine[];
type RoundAction = (moment: Moment<Startup>, round: Round) => ImportLine[];
type Step<C> = readonly [afterDays: number, probability: number, act: Action<C>];

/** The share is that of all startups or funds; all shares together are less than 1. */
export type Scenario<C> = readonly [name: string, share: number, ...steps: Step<C>[]];

type Envelope = 'op' | 'type' | 'source' | 'occurredAt' | 'key';
type Change<T extends 'startup' | 'fund' | 'round'> = Omit<PatchLine<T>, Envelope>;

const patch = ({ company, stamp }: Moment<Startup>, change: Change<'startup'>): ImportLine[] => [
  { op: 'patch', type: 'startup', ...stamp, ...refTo('startup', company.index), ...change },
];
const patchFund = ({ company, stamp }: Moment<Fund>, change: Change<'fund'>): ImportLine[] => [
  { op: 'patch', type: 'fund', ...stamp, ...refTo('fund', company.index), ...change },
];
const patchRound = ({ stamp }: Moment<Startup>, round: Round, change: Change<'round'>) => [
  { op: 'patch', type: 'round', ...stamp, key: roundKey(round), ...change } as const,
];

/** The line that deletes the record of a line; none for people, whom other records refer to. */
function deletionOf(line: ImportLine, stamp: Stamp): ImportLine[] {
  if (line.type === 'person') return [];
  const pair = ['Round', 'Investor', 'Fund', 'Startup', 'Person'];
  const identity = line.key === undefined ? pair : ['key'];
  const fields = Object.entries(line).filter(([name]) => identity.includes(name));
  return [{ op: 'delete', type: line.type, ...stamp, ...Object.fromEntries(fields) } as ImportLine];
}

/** An action on the round with which the scenario began, eight months after the last at least. */
const onNewRound =
  (act: RoundAction): Action<Startup> =>
  (moment) => {
    const { company, begun } = moment;
    const { spec, index, rounds, status, outcome } = company;
    const [stage] = stagesAfter(rounds);
    const isRecent = (rounds.at(-1)?.day ?? 0) > begun - 240;
    const isSold = ['acquired', 'exited', 'partly'].includes(outcome ?? '');
    if (stage === undefined || isRecent || isSold || status === 'Closed') return [];
    const round = nextRound(company, stage, begun, rounds);
    return act(moment, isValued(spec, index) ? { ...round, amount: round.size } : round);
  };

/** An action on the last round before the history, if there is one. */
const onLastRound =
  (act: RoundAction): Action<Startup> =>
  (moment) =>
    moment.company.rounds.slice(-1).flatMap((round) => act(moment, round));

const raise = onNewRound((moment, round) => {
  const { company, stamp, random } = moment;
  const { rounds, statedTotal, statedNextStage } = company;
  const TotalRaised = rounded(((statedTotal ?? 0) + round.dollars) * 1.01, 3);
  const NextFundingStage = stagesAfter([...rounds, round])[0] ?? null;
  const stated = {
    ...(statedTotal !== null && { TotalRaised, Currency: 'USD' }),
    ...(statedNextStage !== null && { NextFundingStage }),
  };
  return [
    roundLine(round, round.participants.slice(0, 1), stamp),
    ...(Object.keys(stated).length > 0 ? patch(moment, stated) : []),
    ...(random.chance(0.5) ? [roundNewsLine(company, round)] : []),
  ];
});

const investorsJoin = onNewRound(({ stamp }, round) =>
  round.participants.slice(1).map((each) => investorLine(round, each, stamp)),
);

const valueRound = onNewRound(({ company, stamp, random }, round) => {
  const { spec, index, rounds } = company;
  if (!isPriced(round) || !(isValued(spec, index) || random.chance(0.2))) return [];
  const value = postMoneyOf([...rounds, round]).at(-1) ?? 0;
  return [valuationLine(round, value, stamp)];
});

const grown = ({ headcount }: Startup): number => Math.ceil(headcount * 1.2) + 1;
const grow = onNewRound((moment) => patch(moment, { MembersCount: grown(moment.company) }));

/** Adds an undisclosed amount, or changes it; never above a stated total. */
const correct: RoundAction = (moment, round) => {
  const { size, amount, currency: Currency } = round;
  if (amount === null) return patchRound(moment, round, { Amount: size, Currency });
  const { random, company } = moment;
  const isMore = random.chance(0.6) && company.statedTotal === null;
  const factor = isMore ? 1.06 + random.unit() / 6 : 0.8 + random.unit() / 8;
  const corrected = Math.max(1, rounded(amount * factor, 2));
  const Amount = corrected === amount ? amount + 1 : corrected;
  return patchRound(moment, round, { Amount, Currency });
};

/** Confirms a rumour, or corrects the amount of some others. */
const correctNewRound = onNewRound((moment, round) => {
  if (!round.confirmed) return patchRound(moment, round, { Confirmed: true });
  return moment.random.chance(0.25) ? correct(moment, round) : [];
});

const correctLastRound = onLastRound(correct);

const revertCorrection = onLastRound((moment, round) => {
  const { amount: Amount, currency: Currency } = round;
  return Amount === null ? [] : patchRound(moment, round, { Amount, Currency });
});

const findInvestor = onLastRound(({ company, random, stamp }, round) => {
  const index = otherFund(company, random, round.day);
  if (index === null) return [];
  return [investorLine(round, { type: 'fund', index, lead: false }, stamp)];
});

/** A valuation without a round, up to 55 % higher or 16 % lower than the last one. */
const revalue: Action<Startup> = ({ company: { rounds }, day, stamp, random }) => {
  const last = rounds.findLastIndex(isPriced);
  const [round, value] = [rounds[last], postMoneyOf(rounds)[last]];
  if (round === undefined || value === undefined) return [];
  const factor = random.chance(0.7) ? 1.15 + random.unit() * 0.4 : 0.84 + random.unit() * 0.1;
  const key = `revaluation-${round.startup}-${round.number}`;
  return [{ ...valuationLine({ ...round, day }, value * factor, stamp), key, Round: null }];
};

/** A round stays if a valuation or a stated total counts it. */
const withdrawRound = onLastRound(({ company: { spec, index, statedTotal }, stamp }, round) =>
  isValued(spec, index) || statedTotal !== null
    ? []
    : [{ op: 'delete', type: 'round', ...stamp, key: roundKey(round) }],
);

/** Changes one field to a value that it cannot have had before; `number` counts the changes. */
const change =
  (number: number): Action<Startup> =>
  (moment) => {
    const { company, random } = moment;
    const { name, label, rounds } = company;
    const serial = 10 * number + random.below(9);
    const tags = [random.pick(COMMON_TAGS)];
    const next = stagesAfter(rounds)[1 + number];
    const MembersCount = grown(company) + serial;
    const changes: Change<'startup'>[] = [
      ...[{ MembersCount }, { MembersCount }, { MembersCount }],
      { Description: describeStartup(random, { name, tags, home: null, founded: null }) },
      { LogoUrl: `https://${label}.example/brand/logo-${serial}.svg` },
      { Website: `https://${label}.example/start-${serial}` },
      rounds.length === 0 || next === undefined
        ? { Tags: ['Sustainability', ...tags] }
        : { NextFundingStage: next },
    ];
    return patch(moment, random.pick(changes));
  };

const changeFund =
  (number: number): Action<Fund> =>
  (moment) => {
    const { random, company } = moment;
    const { label, members, index } = company;
    const serial = 10 * number + random.below(9);
    // Funds that show a headcount bucket stay in it.
    const isShown = shown('fund', 'bucket', index) !== null;
    const changes: Change<'fund'>[] = [
      { LogoUrl: `https://${label}.example/brand/mark-${serial}.svg` },
      { Website: `https://${label}.example/fund-${serial}` },
      { Addresses: [newAddress(random), newAddress(random)] },
      { Groups: GROUPS.slice(4 * number + 8, 4 * number + 12) },
      isShown ? { Founded: 1990 + number } : { MembersCount: (members ?? 4) + 2 + number },
    ];
    return patchFund(moment, random.pick(changes));
  };

const rename: Action<Startup> = (moment) => {
  const word = moment.random.pick(['Global', 'Group', 'One', 'AI']);
  return patch(moment, { Name: `${moment.company.name.split(' ')[0]} ${word}` });
};

const QUIET = { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' };
const OBJECTION = { OperatingStatus: 'Active', OperatingStatusSource: 'owner' };

/** An inferred status changes only an unknown one, or an active one that was inferred too. */
const canGoQuiet = ({ company: { status, statusSource } }: Moment<Company>): boolean =>
  status === null || (status === 'Active' && statusSource === 'inferred');

const goQuiet: Action<Startup> = (moment) => (canGoQuiet(moment) ? patch(moment, QUIET) : []);
const object: Action<Startup> = (moment) => (canGoQuiet(moment) ? patch(moment, OBJECTION) : []);
const fundGoesQuiet: Action<Fund> = (at) => (canGoQuiet(at) ? patchFund(at, QUIET) : []);

const observe =
  (...seen: Parameters<typeof observationLine>[2]): Action<Company> =>
  ({ company, day, stamp }) => [observationLine(company, { day, stamp }, seen)];

const close: Action<Startup> = (moment) => {
  const { company, day, random } = moment;
  const isRecent = (company.rounds.at(-1)?.day ?? 0) > day - 365;
  if (company.status === 'Closed' || isRecent) return [];
  const OperatingStatusSource = random.chance(0.8) ? 'editor' : 'owner';
  return patch(moment, { OperatingStatus: 'Closed', OperatingStatusSource });
};

const sell: Action<Startup> = ({ company, day, stamp, random }) => {
  const funds = company.outcome === null ? fundsOf(company) : [];
  const status = random.chance(0.7) ? 'Acquired' : 'Exited';
  const hasNews = funds.length > 0 && random.chance(0.5);
  const exits = funds.map((fund) =>
    holdingLine(fund, company.index, status, stamp, exitOf(company, day)),
  );
  return hasNews ? [...exits, companyNewsLine(company, 101, day, stamp)] : exits;
};

const enterPortfolio: Action<Startup> = ({ company, day, stamp, random }) => {
  const fund = company.outcome === 'listed' ? null : otherFund(company, random, day);
  return fund === null ? [] : [holdingLine(fund, company.index, 'Held', stamp)];
};

/** The person who joins a company in the history. */
const joinerOf = ({ company, begun }: Moment<Company>): Member =>
  company.kind === 'fund' ? partnerOf(company, 100, begun) : hireOf(company.index, 1, begun);

const join: Action<Company> = (moment) => {
  const [{ company, stamp }, joiner] = [moment, joinerOf(moment)];
  return [...peopleLines(company, [joiner], stamp), positionLine(company, joiner, stamp)];
};
const leave: Action<Company> = (moment) =>
  deletionOf(positionLine(moment.company, joinerOf(moment), moment.stamp), moment.stamp);

const getNews: Action<Company> = ({ company, day, stamp }) => [
  companyNewsLine(company, 100, day, stamp),
];

/** Deletes a startup and all records that belong to it, except people. */
const deleteAll: Action<Startup> = ({ company, begun, stamp }) => {
  const lines = startupLines(company, begun - 400).reverse();
  return lines.flatMap((line) => deletionOf(line, stamp));
};

const deleteCompany: Action<Company> = ({ company: { kind, index }, stamp }) => [
  { op: 'delete', type: kind, ...stamp, ...refTo(kind, index) },
];

const restore: Action<Startup | Fund> = ({ company, stamp }) => [
  company.kind === 'fund' ? fundLine(company, stamp) : startupLine(company, stamp),
];

export const STARTUP_SCENARIOS: readonly Scenario<Startup>[] = [
  [
    'raises a round; its investors become known later',
    0.11,
    [0, 1, raise],
    [4, 1, investorsJoin],
    [9, 1, valueRound],
    [13, 0.4, grow],
    [24, 1, correctNewRound],
  ],
  ['amount of a round is corrected', 0.02, [0, 1, correctLastRound], [26, 0.3, revertCorrection]],
  ['another investor of a round is found', 0.02, [0, 1, findInvestor]],
  ['is valued again, some lower', 0.006, [0, 1, revalue]],
  ['round is withdrawn', 0.002, [0, 1, withdrawRound]],
  ['changes its profile', 0.05, [0, 1, change(0)], [40, 0.3, change(1)]],
  ['is renamed', 0.004, [0, 1, rename]],
  ['moves', 0.008, [0, 1, (at) => patch(at, { Addresses: [newAddress(at.random)] })]],
  [
    'goes quiet; some owners object',
    0.02,
    [0, 1, goQuiet],
    [2, 1, observe('upsert', 'site', 'dead')],
    [3, 1, observe('upsert', 'social', 'alive', 400)],
    [12, 1, observe('patch', 'site', 'parked')],
    [45, 0.3, object],
    [60, 0.2, observe('patch', 'site', 'alive')],
  ],
  ['closes', 0.006, [0, 1, close]],
  ['is sold', 0.018, [0, 1, sell]],
  ['enters a portfolio', 0.015, [0, 1, enterPortfolio]],
  ['hires; some hires leave', 0.015, [0, 1, join], [70, 0.15, leave]],
  ['is in the news', 0.04, [0, 1, getNews]],
  ['is deleted', 0.004, [0, 1, deleteAll]],
  ['is deleted and restored', 0.002, [0, 1, deleteCompany], [20, 1, restore]],
];

export const FUND_SCENARIOS: readonly Scenario<Fund>[] = [
  ['fund changes its profile', 0.14, [0, 1, changeFund(0)], [33, 0.35, changeFund(1)]],
  ['partner joins; some leave', 0.14, [0, 1, join], [70, 0.15, leave]],
  ['fund is in the news', 0.12, [0, 1, getNews]],
  [
    'fund goes quiet',
    0.01,
    [0, 1, fundGoesQuiet],
    [2, 1, observe('upsert', 'site', 'dead')],
    [12, 1, observe('patch', 'site', 'parked')],
  ],
  ['fund is deleted and restored', 0.004, [0, 1, deleteCompany], [15, 1, restore]],
];
