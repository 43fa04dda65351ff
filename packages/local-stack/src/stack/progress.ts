/** A running step. */
export interface Step {
  /** Sets the detail that is shown. */
  update(detail: string): void;
  done(summary?: string): void;
  fail(): void;
}

/** Reports the progress of a start to the user; see `bin/lib/progress.mjs`. */
export interface Progress {
  note(text: string): void;
  step(title: string): Step;
}

/** Runs a step and reports its end. */
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
