/** A message whose call may be cancelled by another message. */
export interface CancellableMessage {
  readonly id: unknown;
  readonly signal: AbortSignal;
  /** To be called when it has its response. */
  readonly end: () => void;
}

interface Message {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly requestId?: unknown } | null;
}

/**
 * The calls of tools that run in this process. There are no sessions, so `notifications/cancelled`
 * finds its call by the key, address and program of its caller and the id of the message. Programs
 * number their messages alike: if two calls have all of these in common, neither is cancelled.
 */
export class RunningCalls {
  readonly #running = new Map<string, Set<AbortController>>();

  /** Registers a call of a tool until its end; any other body is never cancelled. */
  start(caller: readonly unknown[], body: unknown): CancellableMessage {
    const controller = new AbortController();
    const { method, id } = messageOf(body);
    const { signal } = controller;
    if (method !== 'tools/call') return { id, signal, end: () => undefined };
    const key = keyOf(caller, id);
    const same = this.#running.get(key) ?? new Set();
    this.#running.set(key, same.add(controller));
    const end = (): void => {
      same.delete(controller);
      if (same.size === 0 && this.#running.get(key) === same) this.#running.delete(key);
    };
    return { id, signal, end };
  }

  /** Cancels the call that a message is about, if it is `notifications/cancelled`. */
  cancelledBy(caller: readonly unknown[], body: unknown): void {
    const { method, params } = messageOf(body);
    if (method !== 'notifications/cancelled') return;
    const calls = this.#running.get(keyOf(caller, params?.requestId));
    if (calls?.size !== 1) return;
    for (const call of calls) call.abort(new Error('The call was cancelled.'));
  }
}

function messageOf(body: unknown): Message {
  return typeof body === 'object' && body !== null ? body : {};
}

// A number and a text are two ids.
function keyOf(caller: readonly unknown[], id: unknown): string {
  return JSON.stringify([...caller, id]);
}
