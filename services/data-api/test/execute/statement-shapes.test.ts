import { expect, test } from '@jest/globals';
import { testClock } from '@vcds/test-kit';
import { StatementShapes } from '../../src/execute/statement-shapes.ts';

const MINUTE_MS = 60_000;

test('a text is named when it comes a second time, and keeps its name', () => {
  const shapes = new StatementShapes(testClock().monotonicMs);
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
  const name = shapes.nameOf('SELECT 1');
  expect(name).toMatch(/^[\w-]{32}$/);
  expect(shapes.nameOf('SELECT 1')).toBe(name);
  expect(shapes.nameOf('SELECT 2')).toBeUndefined();
});

test('at most 500 texts are named, however many recur', () => {
  const shapes = new StatementShapes(testClock().monotonicMs);
  const names = new Set<string>();
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 600; index++) {
      const name = shapes.nameOf(`SELECT ${index}`);
      if (name !== undefined) names.add(name);
    }
  }
  expect(names.size).toBe(500);
});

test('a shape that was slow with one plan for all values is planned with them for ten minutes', () => {
  const clock = testClock();
  const shapes = new StatementShapes(clock.monotonicMs);
  shapes.nameOf('SELECT 1');
  const name = shapes.nameOf('SELECT 1') ?? '';
  shapes.took(name, 24);
  expect(shapes.nameOf('SELECT 1')).toBe(name);
  shapes.took(name, 26);
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
  clock.advance(10 * MINUTE_MS - 1);
  expect(shapes.nameOf('SELECT 1')).toBeUndefined();
  clock.advance(1);
  expect(shapes.nameOf('SELECT 1')).toBe(name);
});
