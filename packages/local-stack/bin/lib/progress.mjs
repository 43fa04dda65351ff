const FRAME_MS = 100;
const REMINDER_MS = 10_000;
const FRAMES = ['|', '/', '-', '\\'];

/**
 * Reports steps and their duration on standard error: one line that counts the seconds on a
 * terminal, else plain lines. `step` returns the functions that update and end the step.
 */
export function createProgress(stream = process.stderr) {
  return stream.isTTY ? terminalProgress(stream) : plainProgress(stream);
}

function terminalProgress(stream) {
  let current;
  let frame = 0;
  const clear = () => stream.write('\r\x1b[2K');
  const draw = () => {
    if (current === undefined) return;
    const { title, detail, startedAt } = current;
    const text = `  ${FRAMES[frame % FRAMES.length]}  ${title}${detail} (${seconds(startedAt)})`;
    clear();
    stream.write(text.slice(0, Math.max(20, (stream.columns ?? 80) - 1)));
  };
  return {
    note: (text) => {
      clear();
      stream.write(`${text}\n`);
      draw();
    },
    step: (title) => {
      const own = { title, detail: '', startedAt: Date.now() };
      current = own;
      const timer = setInterval(() => {
        frame += 1;
        draw();
      }, FRAME_MS);
      draw();
      const end = (mark, summary) => {
        clearInterval(timer);
        clear();
        if (current === own) current = undefined;
        stream.write(`${mark}  ${title}${summary} (${seconds(own.startedAt)})\n`);
      };
      return {
        update: (detail) => {
          own.detail = detail === '' ? '' : `: ${detail}`;
        },
        done: (summary = '') => end(' ok', summary === '' ? '' : `: ${summary}`),
        fail: () => end('  !', ': failed'),
      };
    },
  };
}

function plainProgress(stream) {
  return {
    note: (text) => stream.write(`${text}\n`),
    step: (title) => {
      const startedAt = Date.now();
      let detail = '';
      stream.write(`${title} ...\n`);
      const timer = setInterval(() => {
        stream.write(`${title}${detail}, ${seconds(startedAt)} so far ...\n`);
      }, REMINDER_MS);
      timer.unref();
      const end = (text) => {
        clearInterval(timer);
        stream.write(`${title}: ${text} (${seconds(startedAt)})\n`);
      };
      return {
        update: (text) => {
          detail = text === '' ? '' : `: ${text}`;
        },
        done: (summary = '') => end(summary || 'done'),
        fail: () => end('failed'),
      };
    },
  };
}

function seconds(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}
