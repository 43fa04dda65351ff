import { expect, test } from '@jest/globals';
import { recordId } from '@vcds/importer';
import { closedAfterAll, runs } from '@vcds/test-kit';
import {
  addObservation,
  conditionOf,
  type InferredStatus,
  isRecentRound,
  type ObservationSummary,
  type ObservedKind,
  type ObservedState,
  type OperatingStatus,
  observationAddress,
  observedStatus,
  operatingStatusOf,
  recalculateOperatingStatus,
  socialCondition,
} from '@vcds/venture-model';
import fc from 'fast-check';
import {
  fund,
  observation,
  openImportFixture,
  round,
  startup,
} from '../../../../packages/importer/test/support.ts';
import { recordObservation } from '../../src/worker/observations/record-observation.ts';
import { openStatusClock } from '../support/status-clock.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2015, 0, 31, 22);
const TYPES = ['startup', 'fund'] as const;
const SITES = ['one', 'two'] as const;

const fixture = await closedAfterAll(openImportFixture());
const clock = await openStatusClock((sql, values) => fixture.rows(sql, values));

type Command =
  | {
      readonly do: 'observe';
      readonly kind: ObservedKind;
      readonly page: 0 | 1;
      readonly state: ObservedState;
      /** Days before now. */
      readonly seen: number;
      /** Days before the observation; null for none. */
      readonly posted: number | null;
      readonly by: 'sweep' | 'import';
    }
  | { readonly do: 'wait'; readonly days: number }
  | { readonly do: 'raise'; readonly daysAgo: number }
  | { readonly do: 'move'; readonly site: 0 | 1 }
  | {
      readonly do: 'state';
      readonly status: OperatingStatus | null;
      readonly by: 'owner' | 'editor';
    }
  | { readonly do: 'infer'; readonly status: InferredStatus | null };

const page = fc.constantFrom(0 as const, 1 as const);
const inference = fc.constantFrom<(InferredStatus | null)[]>('Active', 'ProbablyClosed', null);
const commandsOf = fc.array(
  fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({
        do: fc.constant('observe' as const),
        kind: fc.constantFrom('site' as const, 'social' as const),
        page,
        state: fc.constantFrom<ObservedState[]>('alive', 'alive', 'dead', 'dead', 'parked'),
        seen: fc.constantFrom(0, 0, 0, 3),
        posted: fc.option(fc.constantFrom(0, 20, 179, 180, 364, 365, 700)),
        by: fc.constantFrom('sweep' as const, 'sweep' as const, 'import' as const),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        days: fc.constantFrom(0.1, 1, 6, 7, 14, 31, 90, 180, 365),
      }),
    },
    fc.record({ do: fc.constant('raise' as const), daysAgo: fc.constantFrom(0, 80, 200) }),
    { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), site: page }) },
    fc.record({
      do: fc.constant('state' as const),
      status: fc.constantFrom<(OperatingStatus | null)[]>('Active', 'Closed', null, null),
      by: fc.constantFrom('owner' as const, 'editor' as const),
    }),
    fc.record({ do: fc.constant('infer' as const), status: inference }),
  ),
  { minLength: 10, maxLength: 25 },
);

/** A company as the pure functions describe it. */
class Model {
  nowMs = START_MS;
  site: 0 | 1 = 0;
  stated: OperatingStatus | null = null;
  inferred: InferredStatus | null = null;
  readonly rounds: Date[] = [];
  readonly pages = new Map<string, ObservationSummary>();

  readonly type: (typeof TYPES)[number];

  constructor(type: (typeof TYPES)[number]) {
    this.type = type;
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  get status(): OperatingStatus | null {
    const conditions = (kind: ObservedKind, name = '') =>
      [...this.pages]
        .filter(([address, summary]) => summary.kind === kind && address.startsWith(name))
        .map(([, summary]) => conditionOf(summary, this.now));
    const [site = 'unknown'] = conditions('site', SITES[this.site]);
    return operatingStatusOf({
      stated: this.stated,
      observed: observedStatus(site, socialCondition(conditions('social'))),
      inferred: this.inferred,
      hasRecentRound:
        this.type === 'startup' && this.rounds.some((day) => isRecentRound(day, this.now)),
    });
  }
}

/** Applies commands to the database and to the model. */
class History {
  readonly #model: Model;
  readonly #key: string;
  readonly #id: string;

  constructor(type: (typeof TYPES)[number], key: string) {
    this.#model = new Model(type);
    this.#key = key;
    this.#id = recordId(type, 'test', key);
  }

  async begin(): Promise<void> {
    await clock.set(this.#model.now);
    await this.#profile({});
  }

  async apply(command: Command): Promise<void> {
    const model = this.#model;
    switch (command.do) {
      case 'observe':
        return this.#observe(command);
      case 'wait':
        model.nowMs += command.days * DAY_MS;
        await clock.set(model.now);
        await this.recalculate();
        return;
      case 'raise': {
        const day = new Date(
          Math.floor((model.nowMs - command.daysAgo * DAY_MS) / DAY_MS) * DAY_MS,
        );
        if (model.type === 'fund') return;
        model.rounds.push(day);
        const given = { Date: day.toISOString().slice(0, 10) };
        await fixture.importLines([round(`${this.#key}-${model.rounds.length}`, this.#key, given)]);
        return;
      }
      case 'move':
        model.site = command.site;
        return this.#profile({});
      case 'state':
        model.stated = command.status;
        return this.#profile({
          OperatingStatus: command.status,
          OperatingStatusSource: command.by,
        });
      case 'infer':
        model.inferred = command.status;
        return this.#profile({
          OperatingStatus: command.status,
          OperatingStatusSource: 'inferred',
        });
    }
  }

  /** The status and the number of signals, in the database and by the model. */
  async compare(): Promise<{ status: string | null; signals: number }> {
    const [row] = await fixture.rows<{ status: string | null; revision: number; signals: number }>(
      `SELECT operating_status AS status, revision::int, (
         SELECT count(*)::int FROM venture.signal_outbox
         WHERE subject_id = t.id AND type IN (7, 8, 9, 10)) AS signals
       FROM venture.${this.#model.type} t WHERE id = $1`,
      [this.#id],
    );
    expect(row?.status).toBe(this.#model.status);
    // Each effective change of the record has one signal.
    expect(row?.signals).toBe(row?.revision);
    return { status: row?.status ?? null, signals: row?.signals ?? 0 };
  }

  async recalculate(): Promise<void> {
    const client = await fixture.pool.connect();
    await recalculateOperatingStatus(client).finally(() => client.release());
  }

  async #observe(command: Extract<Command, { do: 'observe' }>): Promise<void> {
    const { kind, state } = command;
    const seenAt = new Date(this.#model.nowMs - command.seen * DAY_MS);
    const lastPostAt =
      command.posted === null ? null : new Date(seenAt.getTime() - command.posted * DAY_MS);
    const url =
      kind === 'site' ? this.#site(command.page) : `https://social.example/${command.page}`;
    const address = observationAddress(kind, url) ?? '';
    const before = this.#model.pages.get(address);
    const isNewer = before === undefined || seenAt > before.seenAt;
    if (isNewer) {
      const seen = { kind, state, seenAt, lastPostAt };
      this.#model.pages.set(address, addObservation(before, seen));
    }
    if (command.by === 'sweep') {
      const company = { type: this.#model.type, id: this.#id };
      const seen = { company, kind, state, url, seenAt, lastPostAt, source: 'sweep' as const };
      expect(await recordObservation(fixture.pool, seen)).toBe(isNewer);
    } else if (isNewer) {
      await fixture.importLines([
        observation({
          occurredAt: seenAt.toISOString(),
          Company: { type: this.#model.type, key: this.#key },
          ...{ Kind: kind, Url: url, State: state, LastPostAt: lastPostAt?.toISOString() ?? null },
        }),
      ]);
    }
  }

  #site(site: 0 | 1): string {
    return `https://${SITES[site]}.example/`;
  }

  async #profile(fields: Readonly<Record<string, unknown>>): Promise<void> {
    const record = this.#model.type === 'startup' ? startup : fund;
    const Website = this.#site(this.#model.site);
    await fixture.importLines([record(this.#key, { Website, ...fields })]);
  }
}

let histories = 0;

test('after any history the status is that of the pure functions, with a signal per change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TYPES), commandsOf, async (type, commands) => {
      histories += 1;
      const history = new History(type, `history-${histories}`);
      await history.begin();
      for (const command of commands) {
        await history.apply(command);
        await history.compare();
      }
      const found = await history.compare();
      await history.recalculate();
      // Without time passing, a recalculation changes nothing.
      expect(await history.compare()).toEqual(found);
    }),
    { ...runs(3), endOnFailure: true },
  );
});
