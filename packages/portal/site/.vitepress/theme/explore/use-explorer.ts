import { computed, onMounted, onUnmounted, ref, shallowRef, watch } from 'vue';
import { readerKey, takeKeyOfAddress } from '../reader-key.ts';
import { type Answer, CallError, createAnswers } from './api.ts';
import { type Call, chartCall, countCalls, hasOwnOrder } from './calls.ts';
import { type Counts, countsOf } from './counts.ts';
import { type Catalogue, ENTITIES } from './entities.ts';
import { type Aggregates, type FiguresView, viewOf } from './figures.ts';
import { hasSandbox } from './sandbox.ts';
import { type ExploreState, readState, startOf, writeState } from './state.ts';

/** Changes within it are one call. */
const SETTLED_MS = 600;

/** An answer as the page shows it, and the state that it answers. */
export interface Applied {
  readonly state: ExploreState;
  readonly call: Call;
  readonly view: FiguresView;
}

/**
 * The explorer: the state in the address, and its answers. A change that costs nothing is applied at
 * once; one that costs credits when the reader asks for it, or after each change if the reader has chosen that.
 */
export function useExplorer(catalogue: Catalogue) {
  const state = ref<ExploreState>(startOf('rounds'));
  const open = ref<readonly string[]>(['country', 'industry']);
  const applied = shallowRef<Applied>();
  const counts = shallowRef<Counts>({});
  const answers = shallowRef(createAnswers(''));
  const isLive = ref(false);
  const isBusy = ref(false);
  const problem = shallowRef<CallError>();
  const charged = ref<number>();
  const remaining = ref<number>();
  /** Counts answers, because the kept ones are not reactive. */
  const answered = ref(0);
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Without a key the sandbox answers, where there is one. */
  const isFree = computed(() => readerKey.value === '' && hasSandbox.value);
  const chart = computed(() => {
    void answered.value;
    return knownChartCall(state.value, answers.value.find, catalogue);
  });
  const calls = computed((): readonly Call[] => [
    chart.value,
    ...countCalls(state.value, open.value, catalogue),
  ]);
  const price = computed(() => {
    void answered.value;
    return isFree.value ? 0 : answers.value.priceOf(calls.value);
  });
  const isStale = computed(
    () =>
      applied.value !== undefined && writeState(applied.value.state) !== writeState(state.value),
  );

  const account = (answer: Answer): void => {
    charged.value = (charged.value ?? 0) + answer.charged;
    if (answer.charged > 0) remaining.value = answer.remaining;
    answered.value += 1;
  };

  /** Reads what the state needs, for at most the price that is shown. */
  async function apply(): Promise<void> {
    running?.abort();
    clearTimeout(timer);
    running = new AbortController();
    const { signal } = running;
    const [wanted, source] = [state.value, answers.value];
    const [call, ...others] = calls.value;
    const dimensions = countCalls(wanted, open.value, catalogue).map((each) => each.dimensions);
    if (call === undefined) return;
    if (readerKey.value === '' && !isFree.value) {
      problem.value = new CallError('no_key', 'Enter your API key above. Nothing was charged.');
      return;
    }
    isBusy.value = true;
    problem.value = undefined;
    charged.value = 0;
    try {
      await Promise.all([
        source.get(call, signal).then((answer) => {
          account(answer);
          const view = viewOf(answer.body as Aggregates, wanted, catalogue);
          applied.value = { state: wanted, call, view };
          show(wanted, true);
        }),
        ...others.map(async (each, index) => {
          const answer = await source.get(each, signal);
          account(answer);
          counts.value = { ...counts.value, ...countsOf(answer.body, dimensions[index] ?? []) };
        }),
      ]);
    } catch (error) {
      if (signal.aborted) return;
      running.abort();
      problem.value = error instanceof CallError ? error : new CallError('page', String(error));
    } finally {
      if (!signal.aborted || problem.value !== undefined) isBusy.value = false;
    }
  }

  /** Writes the address; what was answered is a step of the browser's history. */
  function show(wanted: ExploreState, isStep = false): void {
    const query = `?${writeState(wanted)}`;
    if (location.search === query) return;
    const isFirst = location.search === '';
    history[isStep && !isFirst ? 'pushState' : 'replaceState'](history.state, '', query);
  }

  function choose(next: ExploreState): void {
    if (next.entity !== state.value.entity) counts.value = {};
    state.value = next;
  }

  watch([state, open, readerKey, isLive], () => {
    clearTimeout(timer);
    const cannotCall = readerKey.value === '' && !isFree.value;
    if (cannotCall || problem.value?.code === 'credits_exhausted') return;
    if (price.value === 0) void apply();
    else if (isLive.value) timer = setTimeout(() => void apply(), SETTLED_MS);
  });
  watch(
    state,
    () => {
      problem.value = undefined;
    },
    { flush: 'sync' },
  );
  watch(
    readerKey,
    (key) => {
      answers.value = createAnswers(key);
      problem.value = undefined;
      remaining.value = undefined;
    },
    { immediate: true },
  );

  const readAddress = () => {
    state.value = readState(location.search, catalogue);
    const chosen = Object.keys(state.value.narrow);
    open.value = [...new Set([...open.value, ...chosen])];
  };
  onMounted(() => {
    takeKeyOfAddress();
    readAddress();
    addEventListener('popstate', readAddress);
  });
  onUnmounted(() => {
    running?.abort();
    clearTimeout(timer);
    removeEventListener('popstate', readAddress);
  });

  return {
    ...{ state, open, applied, counts, answers, isLive, isBusy, problem, charged, remaining },
    ...{ price, calls, isStale, account, apply, choose },
  };
}

/** The call of the state, or one that is answered and has all groups, which may then be ordered here. */
function knownChartCall(
  state: ExploreState,
  find: (call: Call) => Answer | undefined,
  catalogue: Catalogue,
): Call {
  const call = chartCall(state, catalogue);
  if (find(call) !== undefined || hasOwnOrder(state, catalogue)) return call;
  const others = ENTITIES[state.entity].figures.map(({ name }) =>
    chartCall({ ...state, figure: name }, catalogue),
  );
  return (
    others.find((each) => (find(each)?.body as Aggregates | undefined)?.more === false) ?? call
  );
}
