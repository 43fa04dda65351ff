import { Random } from '@vcds/demo-data/random';
import { fundId, startupId } from './support.ts';

const SOURCES = ['A', 'B', 'C'] as const;
const STARTUPS = ['c1', 'c2'] as const;
const FUNDS = ['f1', 'f2'] as const;
const PERSONS = ['p1', 'p2'] as const;
export const BATCHES = 3;

type Line = Readonly<Record<string, unknown>>;
/** Whether a statement exists, and whether it is deleted. */
type State = 'none' | 'live' | 'deleted';

/** Imports of a source, in order: any later line of a record has a later date than the earlier ones. */
export interface MadeSources {
  readonly base: readonly string[];
  readonly batches: readonly { readonly source: string; readonly lines: readonly string[] }[];
  readonly startups: readonly string[];
  readonly funds: readonly string[];
}

/** Makes small sources that state random facts about the same few companies. */
export class SourceMaker {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed, 0);
  }

  make(): MadeSources {
    const base = SOURCES.flatMap((source) => [
      ...STARTUPS.map((key) => ({ type: 'startup', source, key, Name: `${source} ${key}` })),
      ...FUNDS.map((key) => ({ type: 'fund', source, key, Name: `${source} ${key}` })),
      ...PERSONS.map((key) => ({ type: 'person', source, key, Name: `${source} ${key}` })),
    ]);
    const batches = SOURCES.flatMap((source) => {
      const states = new Map<string, State>();
      return Array.from({ length: BATCHES }, (_, n) => ({
        source,
        lines: this.#batch(source, n + 1, states).map((line) => JSON.stringify(line)),
      }));
    });
    return {
      base: base.map((line) => JSON.stringify(line)),
      batches,
      startups: SOURCES.flatMap((source) => STARTUPS.map((key) => startupId(source, key))),
      funds: SOURCES.flatMap((source) => FUNDS.map((key) => fundId(source, key))),
    };
  }

  /** The batches in an order that keeps that of each source, some of them again. */
  schedule(made: MadeSources): MadeSources['batches'] {
    const waiting = SOURCES.map((source) => made.batches.filter((each) => each.source === source));
    const order: MadeSources['batches'][number][] = [];
    while (waiting.some(({ length }) => length > 0)) {
      const next = this.one(waiting.filter(({ length }) => length > 0)).shift();
      if (next !== undefined) order.push(next);
      if (this.chance(0.25)) order.push(this.one(order));
    }
    return order;
  }

  /** Random companies of these statements. */
  clusters(ids: readonly string[]): readonly (readonly string[])[] {
    const groups = new Map<number, string[]>();
    for (const id of ids) {
      const group = this.below(this.chance(0.8) ? 3 : 20);
      groups.set(group, [...(groups.get(group) ?? []), id]);
    }
    return [...groups.values()];
  }

  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  chance(share: number): boolean {
    return this.#random.unit() < share;
  }

  below(end: number): number {
    return Math.floor(this.#random.unit() * end);
  }

  #batch(source: string, n: number, states: Map<string, State>): readonly Line[] {
    const occurredAt = `2010-0${n}-${10 + this.below(18)}`;
    const head = { source, occurredAt };
    const lines: Line[] = [];
    const add = (line: Line, facts: Line, required: Line) => {
      const id = JSON.stringify(line);
      const state = states.get(id) ?? 'none';
      if (this.chance(0.4)) return;
      const dice = this.unit();
      const op = state !== 'live' || dice < 0.5 ? 'upsert' : dice < 0.8 ? 'patch' : 'delete';
      states.set(id, op === 'delete' ? 'deleted' : 'live');
      const given =
        op === 'delete'
          ? {}
          : op === 'upsert'
            ? { ...required, ...facts }
            : this.#some({ ...required, ...facts });
      lines.push({ op, ...head, ...line, ...given });
    };
    for (const key of STARTUPS) {
      states.set(
        JSON.stringify({ type: 'startup', key }),
        states.get(JSON.stringify({ type: 'startup', key })) ?? 'live',
      );
      add({ type: 'startup', key }, this.#startup(), {
        Name: this.one(['Acme', 'ACME', 'Beta', 'Gamma']),
      });
    }
    for (const key of FUNDS) {
      states.set(
        JSON.stringify({ type: 'fund', key }),
        states.get(JSON.stringify({ type: 'fund', key })) ?? 'live',
      );
      add({ type: 'fund', key }, this.#fund(), { Name: this.one(['North', 'South']) });
    }
    for (const key of ['r1', 'r2', 'r3', 'r4']) {
      const { Investors, ...facts } = this.#round(source);
      // A list and lines of investors about one round depend on the order of the imports.
      const round = key === 'r4' ? facts : { ...facts, Investors };
      add({ type: 'round', key }, round, { Startup: this.#startupRef(source) });
    }
    for (const key of ['v1', 'v2']) {
      const facts = { Date: this.#day(), Amount: this.one([7_000_000, 9_000_000, null]) };
      const round = states.has(JSON.stringify({ type: 'round', key: 'r1' }))
        ? { Round: { key: 'r1' } }
        : {};
      add(
        { type: 'valuation', key },
        { ...facts, ...round },
        { Startup: this.#startupRef(source) },
      );
    }
    for (const key of ['n1', 'n2']) {
      const startup = this.chance(0.7) ? this.#startupRef(source) : null;
      const fund = this.chance(0.5) ? this.#fundRef(source) : null;
      add(
        { type: 'news', key },
        {
          Url: this.one(['https://n.example/1', 'https://n.example/2', null]),
          Startup: startup,
          Fund: fund,
        },
        { Title: this.one(['One', 'Two']) },
      );
    }
    add(
      { type: 'reference', key: 'x' },
      { Url: 'https://x.example' },
      { Startup: this.#startupRef(source), Field: 'Founded', Source: source },
    );
    for (const startup of STARTUPS) {
      for (const fund of FUNDS) {
        if (this.chance(0.5))
          add(
            { type: 'holding', Startup: { key: startup }, Fund: { key: fund } },
            { Status: this.one(['Held', 'Exited', 'Acquired']) },
            {},
          );
      }
      for (const person of PERSONS) {
        if (this.chance(0.5))
          add(
            { type: 'startup_person', Startup: { key: startup }, Person: { key: person } },
            { Title: this.one(['Founder', 'CEO', null]) },
            {},
          );
      }
    }
    for (const fund of FUNDS) {
      add(
        { type: 'fund_person', Fund: { key: fund }, Person: { key: 'p1' } },
        { Title: this.one(['Partner', null]) },
        {},
      );
      if (states.has(JSON.stringify({ type: 'round', key: 'r4' }))) {
        add(
          { type: 'investor', Round: { key: 'r4' }, Investor: { type: 'fund', key: fund } },
          { Lead: this.chance(0.5) },
          {},
        );
      }
    }
    return lines;
  }

  #startup(): Line {
    return {
      Website: this.one(['https://a.example', 'https://b.example', null]),
      Founded: this.one([2001, 2005, null]),
      Tags: this.one([[], ['AI'], ['Robots', 'AI'], ['Fintech']]),
      Addresses: this.one([[], [{ City: 'Graz', Country: 'Austria' }], [{ Country: 'France' }]]),
      MembersCount: this.one([10, 200, null]),
      TotalRaised: this.one([3_000_000, null, null]),
      Description: this.one(['one', 'two', null]),
      ...(this.chance(0.3) ? { OperatingStatus: this.one(['Active', 'Closed']) } : {}),
    };
  }

  #fund(): Line {
    return {
      Website: this.one(['https://f.example', null]),
      InvestmentStages: this.one([[], ['Seed'], ['Series A', 'Seed']]),
      Groups: this.one([[], ['Top']]),
      Country: this.one(['Austria', null]),
    };
  }

  #round(source: string): Line {
    const investors = [
      ...FUNDS.map(() => ({ type: 'fund', ...this.#fundRef(source), Lead: this.chance(0.3) })),
      { type: 'person', key: this.one(PERSONS) },
    ];
    return {
      Date: this.#day(),
      Series: this.one(['Series A', 'Seed', null]),
      Amount: this.one([1_000_000, 1_020_000, 5_000_000, null]),
      Confirmed: this.chance(0.9),
      Investors: investors.filter(() => this.chance(0.5)),
    };
  }

  #day(): string | null {
    return this.one(['2009-01-05', '2009-01-20', '2009-06-01', '2009-12-30', null]);
  }

  /** Mostly the company of the source, else one of another source. */
  #startupRef(source: string): Line {
    return { source: this.chance(0.8) ? source : this.one(SOURCES), key: this.one(STARTUPS) };
  }

  #fundRef(source: string): Line {
    return { source: this.chance(0.8) ? source : this.one(SOURCES), key: this.one(FUNDS) };
  }

  #some(facts: Line): Line {
    return Object.fromEntries(Object.entries(facts).filter(() => this.chance(0.5)));
  }

  unit(): number {
    return this.#random.unit();
  }
}
