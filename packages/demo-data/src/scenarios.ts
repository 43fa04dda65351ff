/** The scenarios of the history: changes of startups and funds over time. */
import type { ImportLine, PatchLine } from '@vcds/importer';
import { startupLines } from './base.ts';
import { describeStartup } from './descriptions.ts';
import { type Fund, fundLine } from './funds.ts';
import { holdingLine, otherFund } from './holdings.ts';
import { companyNewsLine, roundNewsLine } from './news.ts';
import { hireOf, type Member, partnerOf, peopleLines, positionLine } from './people.ts';
import { type Company, newAddress, refTo, rounded, type Stamp, sectorAt } from './profile.ts';
import type { Random } from './random.ts';
import {
  investorLine,
  revaluationLine,
  roundKey,
  roundLine,
  valuationLine,
} from './round-lines.ts';
import { isPriced, isValued, nextRound, postMoneyOf, type Round, stagesAfter } from './rounds.ts';
import { shown } from './spec.ts';
import { fundsOf, type Startup, startupLine } from './startups.ts';
import { COMMON_TAGS } from './words/sectors.ts';
import { GROUPS } from './words/tables.ts';

/** A step of a scenario for one startup or fund. */
export interface Moment<C> {
  readonly company: C;
  readonly day: number;
  /** The stamp of its lines. */
  readonly stamp: Stamp;
  /** The day on which the scenario began. */
  readonly begun: number;
  readonly random: Random;
}

/** The lines of a step; none if it does not apply to the company. */
type Action<C> = (moment: Moment<C>) => ImportLine[];

/** A step: days after the beginning, probability, action. */
type Step<C> = readonly [afterDays: number, probability: number, act: Action<C>];

/** The share is that of all startups or funds; all shares together are less than 1. */
export type Scenario<C> = readonly [name: string, share: number, ...steps: Step<C>[]];

type Envelope = 'op' | 'type' | 'source' | 'occurredAt' | 'key';
type StartupChange = Omit<PatchLine<'startup'>, Envelope>;
type FundChange = Omit<PatchLine<'fund'>, Envelope>;
type RoundChange = Omit<PatchLine<'round'>, Envelope>;

const patchStartup = ({ company, stamp }: Moment<Startup>, change: StartupChange): ImportLine[] => [
  { op: 'patch', type: 'startup', ...stamp, ...refTo('startup', company.index), ...change },
];
const patchFund = ({ company, stamp }: Moment<Fund>, change: FundChange): ImportLine[] => [
  { op: 'patch', type: 'fund', ...stamp, ...refTo('fund', company.index), ...change },
];
const patchRound = (
  { stamp }: { stamp: Stamp },
  round: Round,
  change: RoundChange,
): ImportLine[] => [{ op: 'patch', type: 'round', ...stamp, key: roundKey(round), ...change }];

/** The line that deletes the record of a line; none for people, whom other records refer to. */
function deletionOf(line: ImportLine, stamp: Stamp): ImportLine[] {
  const op = 'delete';
  switch (line.type) {
    case 'person':
      return [];
    case 'investor':
      return [{ op, type: line.type, ...stamp, Round: line.Round, Investor: line.Investor }];
    case 'holding':
      return [{ op, type: line.type, ...stamp, Fund: line.Fund, Startup: line.Startup }];
    case 'startup_person':
      return [{ op, type: line.type, ...stamp, Startup: line.Startup, Person: line.Person }];
    case 'fund_person':
      return [{ op, type: line.type, ...stamp, Fund: line.Fund, Person: line.Person }];
    default:
      return [{ op, type: line.type, ...stamp, key: line.key }];
  }
}

/** A company raises again after this many days at the earliest. */
const BETWEEN_ROUNDS_MIN = 240;

type RoundAction = (moment: Moment<Startup>, round: Round) => ImportLine[];

/** An action on the round with which the scenario began; none if the company cannot raise one. */
const onNewRound =
  (act: RoundAction): Action<Startup> =>
  (moment) => {
    const { company, begun } = moment;
    const { spec, rounds, status, outcome } = company;
    const [stage] = stagesAfter(rounds);
    const isRecent = (rounds.at(-1)?.day ?? 0) > begun - BETWEEN_ROUNDS_MIN;
    const isSold = outcome === 'acquired' || outcome === 'exited' || outcome === 'partly';
    if (stage === undefined || isRecent || isSold || status === 'Closed') return [];
    const round = nextRound(company, stage, begun, rounds);
    return act(moment, isValued(spec, company.index) ? { ...round, amount: round.size } : round);
  };

/** An action on the last round before the history, if there is one. */
const onLastRound =
  (act: RoundAction): Action<Startup> =>
  (moment) => {
    const round = moment.company.rounds.at(-1);
    return round === undefined ? [] : act(moment, round);
  };

const raise = onNewRound((moment, round) => {
  const { company, stamp, random } = moment;
  const { rounds, statedTotal, statedNextStage } = company;
  const total = rounded(((statedTotal ?? 0) + round.dollars) * 1.01, 3);
  const change = {
    ...(statedTotal !== null && { TotalRaised: total, Currency: 'USD' }),
    ...(statedNextStage !== null && {
      NextFundingStage: stagesAfter([...rounds, round])[0] ?? null,
    }),
  };
  return [
    roundLine(company.spec, round, round.participants.slice(0, 1), stamp),
    ...(Object.keys(change).length === 0 ? [] : patchStartup(moment, change)),
    ...(random.chance(0.5) ? [roundNewsLine(company, round)] : []),
  ];
});

const investorsJoin = onNewRound(({ company, stamp }, round) =>
  round.participants.slice(1).map((each) => investorLine(company.spec, round, each, stamp)),
);

const valueRound = onNewRound(({ company, stamp, random }, round) => {
  const { spec, index, rounds } = company;
  if (!isPriced(round) || !(isValued(spec, index) || random.chance(0.2))) return [];
  const value = postMoneyOf(spec, [...rounds, round]).at(-1) ?? 0;
  return [valuationLine(spec, round, value, stamp, true)];
});

const grown = ({ headcount }: Startup): number => Math.ceil(headcount * 1.2) + 1;

const grow = onNewRound((moment) => patchStartup(moment, { MembersCount: grown(moment.company) }));

/** Confirms a rumour, or corrects the amount of some others. */
const correctNewRound = onNewRound((moment, round) => {
  if (!round.confirmed) return patchRound(moment, round, { Confirmed: true });
  return moment.random.chance(0.25) ? correct(moment, round) : [];
});

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

const revertCorrection = onLastRound((moment, round) => {
  const { amount: Amount, currency: Currency } = round;
  return Amount === null ? [] : patchRound(moment, round, { Amount, Currency });
});

const findInvestor = onLastRound(({ company, random, stamp }, round) => {
  const index = otherFund(company, random, round.day);
  if (index === null) return [];
  return [investorLine(company.spec, round, { type: 'fund', index, lead: false }, stamp)];
});

/** A valuation without a round, up to 55 % higher or 16 % lower than the last one. */
const revalue: Action<Startup> = ({ company, day, stamp, random }) => {
  const { spec, rounds } = company;
  const last = rounds.findLastIndex(isPriced);
  const [round, value] = [rounds[last], postMoneyOf(spec, rounds)[last]];
  if (round === undefined || value === undefined) return [];
  const factor = random.chance(0.7) ? 1.15 + random.unit() * 0.4 : 0.84 + random.unit() * 0.1;
  return [revaluationLine(spec, round, value * factor, day, stamp)];
};

/** A round stays if a valuation or a stated total counts it. */
const withdrawRound = onLastRound(({ company, stamp }, round) => {
  const { spec, index, statedTotal } = company;
  if (isValued(spec, index) || statedTotal !== null) return [];
  return [{ op: 'delete', type: 'round', ...stamp, key: roundKey(round) }];
});

/** Changes one field to a value that it cannot have had before; `number` counts the changes. */
const changeStartup =
  (number: number): Action<Startup> =>
  (moment) => {
    const { company, random } = moment;
    const { name, label, sector, rounds } = company;
    const site = `https://${label}.example`;
    const headcount = { MembersCount: grown(company) + 10 * number + random.below(9) };
    const tags = [random.pick(COMMON_TAGS)];
    const facts = { name, tags, home: null, founded: null };
    const next = rounds.length === 0 ? undefined : stagesAfter(rounds)[1 + number];
    const changes: StartupChange[] = [
      ...[headcount, headcount, headcount],
      { Description: describeStartup(random, sectorAt(sector), facts) },
      { LogoUrl: `${site}/brand/logo-${10 * number + random.below(9)}.svg` },
      { Website: `${site}/start-${10 * number + random.below(9)}` },
      next === undefined ? { Tags: ['Sustainability', ...tags] } : { NextFundingStage: next },
    ];
    return patchStartup(moment, random.pick(changes));
  };

const changeFund =
  (number: number): Action<Fund> =>
  (moment) => {
    const { random, company } = moment;
    const site = `https://${company.label}.example`;
    // Funds that show a headcount bucket stay in it.
    const isShown = shown('fund', 'bucket', company.index) !== null;
    const members = (company.members ?? 4) + 2 + number;
    const changes: FundChange[] = [
      { LogoUrl: `${site}/brand/mark-${10 * number + random.below(9)}.svg` },
      { Website: `${site}/fund-${10 * number + random.below(9)}` },
      { Addresses: [newAddress(random), newAddress(random)] },
      { Groups: GROUPS.slice(4 * number + 8, 4 * number + 12) },
      isShown ? { Founded: 1990 + number } : { MembersCount: members },
    ];
    return patchFund(moment, random.pick(changes));
  };

const rename: Action<Startup> = (moment) => {
  const [stem] = moment.company.name.split(' ');
  const word = moment.random.pick(['Global', 'Group', 'One', 'AI']);
  return patchStartup(moment, { Name: `${stem} ${word}` });
};

const move: Action<Startup> = (moment) =>
  patchStartup(moment, { Addresses: [newAddress(moment.random)] });

const QUIET = { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' };
const OWNER_OBJECTS = { OperatingStatus: 'Active', OperatingStatusSource: 'owner' };

/** An inferred status changes only an unknown one, or an active one that was inferred too. */
const canGoQuiet = ({ status, statusSource }: Company): boolean =>
  status === null || (status === 'Active' && statusSource === 'inferred');

const close: Action<Startup> = (moment) => {
  const { company, day, random } = moment;
  const isRecent = (company.rounds.at(-1)?.day ?? 0) > day - 365;
  if (company.status === 'Closed' || isRecent) return [];
  const OperatingStatusSource = random.chance(0.8) ? 'editor' : 'owner';
  return patchStartup(moment, { OperatingStatus: 'Closed', OperatingStatusSource });
};

const sell: Action<Startup> = ({ company, day, stamp, random }) => {
  const funds = fundsOf(company);
  if (funds.length === 0 || company.outcome !== null) return [];
  const status = random.chance(0.7) ? 'Acquired' : 'Exited';
  return [
    ...funds.map((fund) => holdingLine(fund, company.index, status, stamp)),
    ...(random.chance(0.5) ? [companyNewsLine(company, 101, day, stamp)] : []),
  ];
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
const deleteAll: Action<Startup> = ({ company, begun, stamp }) =>
  startupLines(company, begun - 400)
    .reverse()
    .flatMap((line) => deletionOf(line, stamp));

const deleteCompany: Action<Company> = ({ company: { kind, index }, stamp }) => [
  { op: 'delete', type: kind, ...stamp, ...refTo(kind, index) },
];
const restoreStartup: Action<Startup> = ({ company, stamp }) => [startupLine(company, stamp)];
const restoreFund: Action<Fund> = ({ company, stamp }) => [fundLine(company, stamp)];

const goQuiet: Action<Startup> = (moment) =>
  canGoQuiet(moment.company) ? patchStartup(moment, QUIET) : [];
const objectToQuiet: Action<Startup> = (moment) =>
  canGoQuiet(moment.company) ? patchStartup(moment, OWNER_OBJECTS) : [];
const fundGoesQuiet: Action<Fund> = (moment) =>
  canGoQuiet(moment.company) ? patchFund(moment, QUIET) : [];

export const STARTUP_SCENARIOS: readonly Scenario<Startup>[] = [
  [
    'raises a round; its investors become known later',
    0.11,
    ...([
      [0, 1, raise],
      [4, 1, investorsJoin],
      [9, 1, valueRound],
    ] as const),
    ...([
      [13, 0.4, grow],
      [24, 1, correctNewRound],
    ] as const),
  ],
  [
    'amount of a round is corrected',
    0.02,
    [0, 1, onLastRound(correct)],
    [26, 0.3, revertCorrection],
  ],
  ['another investor of a round is found', 0.02, [0, 1, findInvestor]],
  ['is valued again, some lower', 0.006, [0, 1, revalue]],
  ['round is withdrawn', 0.002, [0, 1, withdrawRound]],
  ['changes its profile', 0.05, [0, 1, changeStartup(0)], [40, 0.3, changeStartup(1)]],
  ['is renamed', 0.004, [0, 1, rename]],
  ['moves', 0.008, [0, 1, move]],
  ['goes quiet; some owners object', 0.02, [0, 1, goQuiet], [45, 0.3, objectToQuiet]],
  ['closes', 0.006, [0, 1, close]],
  ['is sold', 0.018, [0, 1, sell]],
  ['enters a portfolio', 0.015, [0, 1, enterPortfolio]],
  ['hires; some hires leave', 0.015, [0, 1, join], [70, 0.15, leave]],
  ['is in the news', 0.04, [0, 1, getNews]],
  ['is deleted', 0.004, [0, 1, deleteAll]],
  ['is deleted and restored', 0.002, [0, 1, deleteCompany], [20, 1, restoreStartup]],
];

export const FUND_SCENARIOS: readonly Scenario<Fund>[] = [
  ['fund changes its profile', 0.14, [0, 1, changeFund(0)], [33, 0.35, changeFund(1)]],
  ['partner joins; some leave', 0.14, [0, 1, join], [70, 0.15, leave]],
  ['fund is in the news', 0.12, [0, 1, getNews]],
  ['fund goes quiet', 0.01, [0, 1, fundGoesQuiet]],
  ['fund is deleted and restored', 0.004, [0, 1, deleteCompany], [15, 1, restoreFund]],
];
