// Tests docs/spec/addresses.md 1.1.
// Tests docs/spec/operations.md 16.8.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { curlLines } from '@vcds/local-stack';

let bin: string;

beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'vcds-curl-'));
  writeFileSync(join(bin, 'curl'), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  chmodSync(join(bin, 'curl'), 0o755);
});

afterAll(() => {
  rmSync(bin, { recursive: true });
});

/** The arguments that curl gets when the line is pasted into a shell. */
function pasted(shell: string, line: string): string[] {
  const env = { PATH: `${bin}:${process.env.PATH}` };
  return execFileSync(shell, ['-c', line], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
    .trimEnd()
    .split('\n');
}

test.each(['sh', 'bash'])('the three requests of the banner can be pasted into %s', (shell) => {
  const lines = curlLines('http://127.0.0.1:8080/v2', 'pk_live_1');
  const header = ['-H', 'X-Api-Key: pk_live_1'];
  expect(lines.map((line) => pasted(shell, line))).toEqual([
    [
      '-s',
      ...header,
      'http://127.0.0.1:8080/v2/startups?$top=3&$select=Name,City,Founded,TotalRaised',
    ],
    [
      '-sG',
      ...header,
      'http://127.0.0.1:8080/v2/startups',
      '--data-urlencode',
      "$filter=TotalRaised ge 10000000 and OperatingStatus eq 'Active'",
      '--data-urlencode',
      '$orderby=TotalRaised desc',
      '-d',
      '$top=3',
    ],
    [
      '-s',
      ...header,
      'http://127.0.0.1:8080/v2/startups/fundingrounds?$top=2&$orderby=Date%20desc&$expand=Investors',
    ],
  ]);
});
