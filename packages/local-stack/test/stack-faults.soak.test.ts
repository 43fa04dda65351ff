import { afterAll, afterEach, expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import { leftOver, makeHome, READY } from './stack-process.ts';

const home = await makeHome();
afterEach(() => home.stopAll());
afterAll(() => home.remove());

test('npm run dev leaves no process when it is killed', async () => {
  const stack = home.start(['--watch']);
  await stack.until(READY);
  stack.process.kill('SIGKILL');
  await stack.ended;
  await eventually(async () => expect(await leftOver(home)).toEqual([]), { intervalMs: 50 });
});
