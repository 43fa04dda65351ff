// Runs before each test file: gives its path to the recorder of this process, so that responses of
// the services are recorded and those of apps with other routes are not.
import { channel } from 'node:diagnostics_channel';
import { expect } from '@jest/globals';

const SERVICES = /\/(?:services\/[\w-]+|packages\/(?:client|mcp|portal|local-stack))\/test\//;
const OTHER_ROUTES = /\/(?:authenticator|tokens)\.test\.ts$/;

const path = expect.getState().testPath;
const test = SERVICES.test(path) && !OTHER_ROUTES.test(path) ? path : '';
// Jest copies the environment for each test file; child processes get the copy.
process.env.VCDS_ANSWERS_TEST = test;
channel('vcds.test-file').publish({ test });
