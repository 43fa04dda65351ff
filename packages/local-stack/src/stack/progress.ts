/** One long step under way. */
export interface Step {
  /** What it is doing just now. */
  update(detail: string): void;
  done(summary?: string): void;
  fail(): void;
}

/** Tells the person who started the stack what is being done; see `bin/lib/progress.mjs`. */
export interface Progress {
  note(text: string): void;
  step(title: string): Step;
}

/** Runs a step to its end and reports that; `work` may return a summary. */
export async function reported<T>(
  progress: Progress,
  title: string,
  work: (step: Step) => Promise<T>,
): Promise<T> {
  const step = progress.step(title);
  try {
    const result = await work(step);
    step.done();
    return result;
  } catch (error) {
    step.fail();
    throw error;
  }
}
