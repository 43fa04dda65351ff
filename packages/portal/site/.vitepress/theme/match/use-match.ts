import { computed, onMounted, onUnmounted, ref, shallowRef } from 'vue';
import { type Answer, CallError } from '../explore/api.ts';
import { hasSandbox } from '../explore/sandbox.ts';
import { readerKey, takeKeyOfAddress } from '../reader-key.ts';
import { batchesOf, type Columns, columnsOf, itemsOf, type Role } from './items.ts';
import { BYTES_MAX, type ListFile, readList } from './list-file.ts';
import { type MatchResult, resultRows } from './results.ts';
import { type Batch, batch, run } from './run.ts';

/** The page that matches a list: the file, its columns, the calls, and what they found. */
export function useMatch() {
  const list = shallowRef<ListFile>();
  const columns = ref<Columns>();
  const hasTitles = ref(true);
  const fileProblem = ref('');
  const results = shallowRef<ReadonlyMap<string, MatchResult>>(new Map());
  const chosen = shallowRef<ReadonlyMap<string, string>>(new Map());
  const problem = shallowRef<CallError>();
  const isBusy = ref(false);
  const waiting = ref(0);
  const charged = ref(0);
  const remaining = ref<number>();
  let running: AbortController | undefined;
  /** Kept until they are answered, so that a repeated one is not charged again. */
  let pending: Batch[] | undefined;

  const isFree = computed(() => readerKey.value === '' && hasSandbox.value);
  const items = computed(() =>
    list.value === undefined || columns.value === undefined
      ? []
      : itemsOf(list.value, columns.value, hasTitles.value),
  );
  const left = computed(() => items.value.filter(({ item }) => !results.value.has(item.ref)));
  const batches = computed(() => batchesOf(left.value));
  const sent = computed(() => items.value.filter(({ isSent }) => isSent).length);
  const isStarted = computed(() => isBusy.value || results.value.size > 0);
  const rows = computed(() =>
    isStarted.value ? resultRows(items.value, results.value, chosen.value) : [],
  );

  function startOver(): void {
    running?.abort();
    pending = undefined;
    results.value = new Map();
    chosen.value = new Map();
    problem.value = undefined;
    charged.value = 0;
  }

  async function open(file: File): Promise<void> {
    startOver();
    list.value = undefined;
    fileProblem.value = '';
    try {
      // A file that is too large is not read at all.
      const bytes = new Uint8Array(await file.slice(0, BYTES_MAX + 1).arrayBuffer());
      const read = readList(file.name, bytes);
      ({ columns: columns.value, hasTitles: hasTitles.value } = columnsOf(read));
      list.value = read;
    } catch (error) {
      fileProblem.value = error instanceof Error ? error.message : String(error);
    }
  }

  function choose(change: { role: Role; column: number } | { hasTitles: boolean }): void {
    if (isStarted.value || columns.value === undefined) return;
    pending = undefined;
    if ('hasTitles' in change) hasTitles.value = change.hasTitles;
    else columns.value = { ...columns.value, [change.role]: change.column };
  }

  function take({ body, charged: cost, remaining: credits }: Answer): void {
    const found = body as readonly MatchResult[];
    results.value = new Map([...results.value, ...found.map((each) => [each.ref, each] as const)]);
    charged.value += cost;
    remaining.value = credits;
    waiting.value = 0;
    pending?.shift();
  }

  /** Matches the rows that have no result yet. */
  async function match(): Promise<void> {
    if (isBusy.value) return;
    if (readerKey.value === '' && !isFree.value) {
      problem.value = new CallError('no_key', 'Enter your API key above. Nothing was charged.');
      return;
    }
    problem.value = undefined;
    isBusy.value = true;
    running = new AbortController();
    const { signal } = running;
    pending ??= batches.value.map(batch);
    try {
      await run([...pending], {
        ...{ key: readerKey.value, signal, onAnswer: take },
        onWait: (seconds) => {
          waiting.value = seconds;
        },
      });
    } catch (error) {
      if (!signal.aborted)
        problem.value = error instanceof CallError ? error : new CallError('page', String(error));
    } finally {
      isBusy.value = false;
      waiting.value = 0;
    }
  }

  const stop = () => running?.abort();
  function pick(ref: string, id: string): void {
    chosen.value = new Map([...chosen.value, [ref, id]]);
  }

  onMounted(takeKeyOfAddress);
  onUnmounted(stop);

  return {
    ...{ list, columns, hasTitles, fileProblem, items, sent, left, batches, rows, isFree },
    ...{ isStarted, isBusy, waiting, problem, charged, remaining },
    ...{ open, choose, match, stop, startOver, pick },
  };
}
