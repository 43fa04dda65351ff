// Runs before each test file: says to the recorder of this process whose responses follow. Those of
// a service's tests are recorded, those of fixture apps are not.
import { channel } from 'node:diagnostics_channel';
import { expect } from '@jest/globals';

const SERVICES = /\/(?:services\/[\w-]+|packages\/(?:client|mcp|portal|local-stack))\/test\//;

const path = expect.getState().testPath;
const test = SERVICES.test(path) ? path : '';
// Jest copies the environment for each test file; child processes get the copy.
process.env.VCDS_ANSWERS_TEST = test;
channel('vcds.test-file').publish({ test });
