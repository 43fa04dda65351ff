import { expect, test } from '@jest/globals';
import { failureOf, isOutage, unavailable } from '../../src/postgres/errors.ts';

const errorOf = (code: string) => Object.assign(new Error('could not write'), { code });

test.each(['08006', '08P01', '53100', '53300', '57P01', '58030', 'ECONNREFUSED', 'EAI_AGAIN'])(
  'SQLSTATE or code %s is an outage, for example a full disk',
  (code) => {
    expect(failureOf(errorOf(code))).toBe('connection');
    expect(isOutage(unavailable(errorOf(code)))).toBe(true);
  },
);

test.each(['53200', '53400'])(
  'SQLSTATE %s is a statement that needs too much: no outage, and no fault of the server',
  (code) => {
    expect(failureOf(errorOf(code))).toBe('too_large');
    expect(isOutage(unavailable(errorOf(code)))).toBe(false);
  },
);

test.each(['42601', '22P02', 'XX000', '5', 'ERR_SOCKET_CLOSED'])(
  '%s is an error of the statement',
  (code) => {
    expect(failureOf(errorOf(code))).toBeUndefined();
  },
);
