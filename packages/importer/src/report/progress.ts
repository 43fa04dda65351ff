import type { WriteStream } from 'node:tty';

/** The current step; `lines` of `linesMax` lines are staged, later applied; then indexes are built. */
export interface Progress {
  readonly step: 'waiting' | 'staging' | 'checking' | 'applying' | 'indexing' | 'finishing';
  readonly lines: number;
  readonly linesMax?: number;
}

const STEPS: Readonly<Record<Progress['step'], string>> = {
  waiting: 'waiting for another import to end',
  staging: 'reading lines',
  checking: 'checking lines against the database',
  applying: 'applying',
  indexing: 'building indexes',
  finishing: 'finishing',
};

const number = new Intl.NumberFormat('en-US');
const REFRESH_MS = 200;
const REFRESH_PLAIN_MS = 5000;

/** Shows progress: on a terminal one line that changes, otherwise a line for each step and 5 s. */
export function progressLine(out: WriteStream | NodeJS.WritableStream): {
  readonly progress: (progress: Progress) => void;
  readonly end: () => void;
} {
  const terminal = 'isTTY' in out && out.isTTY === true;
  let step: Progress['step'] | undefined;
  let shownAt = 0;
  return {
    progress: (progress) => {
      const now = performance.now();
      if (progress.step === step && now - shownAt < (terminal ? REFRESH_MS : REFRESH_PLAIN_MS))
        return;
      step = progress.step;
      shownAt = now;
      out.write(terminal ? `\r\u001b[K${text(progress)}` : `${text(progress)}\n`);
    },
    end: () => {
      if (terminal && step !== undefined) out.write('\r\u001b[K');
    },
  };
}

function text({ step, lines, linesMax }: Progress): string {
  if (step === 'waiting' || step === 'finishing') return STEPS[step];
  const done = number.format(lines);
  const of = linesMax === undefined ? done : `${done} of ${number.format(linesMax)}`;
  if (step === 'indexing') return `${STEPS[step]}: ${of}`;
  return `${STEPS[step]}: ${of} ${(linesMax ?? lines) === 1 ? 'line' : 'lines'}`;
}
