const frameMs = 100;
const reminderMs = 10_000;
const frames = ['|', '/', '-', '\\'];

/**
 * Says on standard error what is being done and for how long: one line that counts the seconds
 * on a terminal, plain lines elsewhere. `step` returns what ends it.
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
    const text = `  ${frames[frame % frames.length]}  ${title}${detail} (${seconds(startedAt)})`;
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
      }, frameMs);
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
      }, reminderMs);
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
