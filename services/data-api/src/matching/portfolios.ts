import {
  type Criteria,
  type InvestmentData,
  type Lists,
  listOf,
  listsOf,
  UNKNOWN_DAY,
} from '@vcds/matching';

/** How exactly a place is compared. */
export type Level = 'country' | 'region' | 'city';

/** Properties of rounds and their startups; all of them are required. */
export interface Wanted {
  /** In the country, region or city of a company. */
  readonly at?: { readonly level: Level; readonly company: Criteria } | undefined;
  readonly tag?: string | undefined;
  /** Whether a row counts. */
  readonly row?: ((row: number) => boolean) | undefined;
}

/** The dated investments of every fund and startup, as rows of the data in the order of their days. */
export class Portfolios {
  readonly data: InvestmentData;
  /** The day of the newest investment; 0 without any. */
  readonly lastDay: number;
  readonly #ofInvestor: Lists;
  readonly #ofStartup: Lists;
  /** Startups of each investor, each once. */
  readonly #startups: Lists;
  /** Places and tags of startups as numbers, which compare fast. */
  readonly #places: Readonly<Record<Level, Codes>>;
  readonly #tags: { readonly codes: Codes; readonly lists: Lists };
  readonly #marks: Marks;

  constructor(data: InvestmentData) {
    this.data = data;
    const { investor, startup, round, day } = data.investments;
    this.lastDay = day.reduce((last, on) => Math.max(last, on), 0);
    const dated = Uint32Array.from(day.keys())
      .filter((row) => day[row] !== UNKNOWN_DAY)
      .sort((a, b) => (day[a] ?? 0) - (day[b] ?? 0) || a - b);
    const by = (column: Uint32Array, size: number) =>
      listsOf(size, (give) => {
        for (const row of dated) give(column[row] ?? 0, row);
      });
    this.#ofInvestor = by(investor, data.investors.length);
    this.#ofStartup = by(startup, data.startups.length);
    const rounds = round.reduce((last, each) => Math.max(last, each), -1) + 1;
    this.#marks = new Marks(Math.max(rounds, data.startups.length));
    this.#startups = listsOf(data.investors.length, (give) => {
      for (const index of data.investors.keys()) {
        this.#marks.clear();
        for (const row of this.ofInvestor(index)) {
          if (this.#marks.add(startup[row] ?? 0)) give(index, startup[row] ?? 0);
        }
      }
    });
    this.#places = {
      country: new Codes(data.startups.map((each) => placeOf('country', each))),
      region: new Codes(data.startups.map((each) => placeOf('region', each))),
      city: new Codes(data.startups.map((each) => placeOf('city', each))),
    };
    const codes = new Codes(data.startups.flatMap(({ tags }) => tags));
    let next = 0;
    const lists = {
      start: Uint32Array.from([0, ...data.startups.map(({ tags }) => (next += tags.length))]),
      items: codes.codes,
    };
    this.#tags = { codes, lists };
  }

  /** The rows of an investor, oldest first. */
  ofInvestor(investor: number): Uint32Array {
    return listOf(this.#ofInvestor, investor);
  }

  /** The rows of a startup, oldest first. */
  ofStartup(startup: number): Uint32Array {
    return listOf(this.#ofStartup, startup);
  }

  /** The rows of an investor with all properties, oldest first. */
  select(investor: number, { at, tag, row: accepts }: Wanted): Uint32Array {
    const all = this.ofInvestor(investor);
    const { startup } = this.data.investments;
    const places = at && this.#places[at.level];
    const place = at && places?.find(placeOf(at.level, at.company));
    const tagCode = tag === undefined ? undefined : this.#tags.codes.find(tag);
    const { start, items } = this.#tags.lists;
    const found: number[] = [];
    for (let k = 0; k < all.length; k++) {
      const row = all[k] as number;
      const s = startup[row] as number;
      if (places !== undefined && places.codes[s] !== place) continue;
      if (tagCode !== undefined) {
        let position = start[s] as number;
        const end = start[s + 1] as number;
        while (position < end && items[position] !== tagCode) position++;
        if (position === end) continue;
      }
      if (accepts === undefined || accepts(row)) found.push(row);
    }
    return Uint32Array.from(found);
  }

  /** How many distinct startups or rounds rows have from a day on. */
  countDistinct(rows: Uint32Array, column: 'startup' | 'round', fromDay: number): number {
    const { day } = this.data.investments;
    const values = this.data.investments[column];
    let count = 0;
    this.#marks.clear();
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k] as number;
      if ((day[row] as number) >= fromDay && this.#marks.add(values[row] as number)) count++;
    }
    return count;
  }

  /** How many startups besides one each of some investors shares with an investor. */
  sharedWith(investor: number, others: readonly number[], except: number): number[] {
    this.#marks.clear();
    for (const startup of listOf(this.#startups, investor)) this.#marks.add(startup);
    return others.map((other) => {
      let count = 0;
      for (const startup of listOf(this.#startups, other)) {
        if (startup !== except && this.#marks.has(startup)) count++;
      }
      return count;
    });
  }
}

/** Each text as a number, equal ones as the same. */
class Codes {
  readonly codes: Uint32Array;
  readonly #numbers = new Map<string, number>();

  constructor(texts: readonly string[]) {
    this.codes = Uint32Array.from(texts, (text) => {
      const known = this.#numbers.get(text) ?? this.#numbers.size;
      this.#numbers.set(text, known);
      return known;
    });
  }

  /** -1 if no text is equal. */
  find(text: string): number {
    return this.#numbers.get(text) ?? -1;
  }
}

/** A set of numbers below a size that is cleared at once. */
class Marks {
  readonly #marks: Uint32Array;
  #current = 0;

  constructor(size: number) {
    this.#marks = new Uint32Array(size);
  }

  clear(): void {
    if (this.#current === 2 ** 32 - 1) this.#marks.fill(0);
    this.#current = (this.#current % (2 ** 32 - 1)) + 1;
  }

  has(item: number): boolean {
    return this.#marks[item] === this.#current;
  }

  /** Whether the number is new. */
  add(item: number): boolean {
    if (this.has(item)) return false;
    this.#marks[item] = this.#current;
    return true;
  }
}

function placeOf(level: Level, { country, region, city }: Criteria): string {
  if (level === 'country') return `${country}`;
  return level === 'region' ? `${country}\0${region}` : `${country}\0${region}\0${city}`;
}
