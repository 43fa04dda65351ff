import { type Clock, systemClock } from '@vcds/service-kit';
import type { CompanyPage } from '@vcds/site-facts/page';
import type { SitePage } from '@vcds/site-facts/reader';
import { LRUCache } from 'lru-cache';

const KEPT_MS = 3_600_000;
/** Characters of all pages in a process, of those of one account, and of one page. */
const LENGTH_MAX = 32 * 1024 * 1024;
const ACCOUNT_LENGTH_MAX = 2 * 1024 * 1024;
const PAGE_LENGTH_MAX = 64 * 1024;

/** The facts of a page, and where and when it was read. */
export interface ReadPage {
  readonly site: Pick<SitePage, 'website' | 'finalUrl' | 'fetchedAt'>;
  readonly facts: CompanyPage;
}

interface Kept extends ReadPage {
  readonly accountId: string;
  readonly length: number;
}

/**
 * The facts of pages that look-ups returned in the last hour, in the memory of this process: a few
 * thousand characters a page, never the page. A page without facts is free and is not kept, so an
 * account pays for each entry, and no account displaces those of others beyond its share.
 */
export class KeptPages {
  readonly #clock: Clock;
  readonly #lengthOfAccounts = new Map<string, number>();
  readonly #pages = new LRUCache<string, Kept>({
    maxSize: LENGTH_MAX,
    sizeCalculation: ({ length }) => length,
    dispose: ({ accountId, length }) => this.#count(accountId, -length),
  });

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** The page, and its age in whole seconds, at least 1. */
  get(digest: string): { readonly page: ReadPage; readonly age: number } | undefined {
    const page = this.#pages.get(digest);
    if (page === undefined) return undefined;
    const ageMs = this.#clock.wallMs() - page.site.fetchedAt.getTime();
    if (ageMs < KEPT_MS) return { page, age: Math.max(1, Math.ceil(ageMs / 1_000)) };
    this.#pages.delete(digest);
    return undefined;
  }

  /** Keeps a page, unless it is too long, or too much of the account is kept. */
  keep(digest: string, accountId: string, { site, facts }: ReadPage): void {
    const { website, finalUrl, fetchedAt } = site;
    const length = JSON.stringify([digest, accountId, website, finalUrl, facts]).length;
    const ofAccount = this.#lengthOfAccounts.get(accountId) ?? 0;
    if (length > PAGE_LENGTH_MAX || ofAccount + length > ACCOUNT_LENGTH_MAX) return;
    this.#count(accountId, length);
    this.#pages.set(digest, { site: { website, finalUrl, fetchedAt }, facts, accountId, length });
  }

  #count(accountId: string, length: number): void {
    const sum = (this.#lengthOfAccounts.get(accountId) ?? 0) + length;
    if (sum > 0) this.#lengthOfAccounts.set(accountId, sum);
    else this.#lengthOfAccounts.delete(accountId);
  }
}
