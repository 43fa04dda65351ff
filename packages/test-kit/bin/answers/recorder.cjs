// Records every response that an HTTP server of this process sends while a test of a service runs:
// one JSON line each, in a file of the process below VCDS_ANSWERS. Equal responses are written once.
// The test run's processes load it by NODE_OPTIONS.
'use strict';
const { createHash } = require('node:crypto');
const { subscribe } = require('node:diagnostics_channel');
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const zlib = require('node:zlib');

const DECODERS = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  undefined: (bytes) => bytes,
};
const written = new Set();
let from = process.env.VCDS_ANSWERS_TEST ?? '';

subscribe('vcds.test-file', ({ test }) => {
  from = test;
});
subscribe('http.server.request.start', ({ request, response }) => {
  if (from !== '') follow(from, request, response);
});

function follow(test, request, response) {
  const chunks = [];
  const { write, end } = response;
  response.write = (...sent) => {
    keep(chunks, ...sent);
    return write.apply(response, sent);
  };
  response.end = (...sent) => {
    keep(chunks, ...sent);
    const result = end.apply(response, sent);
    record(test, request, response, Buffer.concat(chunks));
    return result;
  };
}

function keep(chunks, chunk, encoding) {
  if (chunk === undefined || chunk === null || typeof chunk === 'function') return;
  const charset = typeof encoding === 'string' ? encoding : 'utf8';
  chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, charset) : Buffer.from(chunk));
}

// A router changes the URL for the handlers that it is mounted for.
function record(
  test,
  { method, url: current, originalUrl: url = current, socket },
  response,
  bytes,
) {
  // The client has closed the connection and receives nothing.
  if (socket.destroyed) return;
  const headers = response.getHeaders();
  const { statusCode: status } = response;
  const body = bytes.length === 0 ? '' : DECODERS[headers['content-encoding']](bytes).toString();
  const names = Object.keys(headers).sort();
  const content = JSON.stringify([method, url, status, names, body]);
  const digest = createHash('sha1').update(content).digest('base64');
  if (written.has(digest)) return;
  written.add(digest);
  const file = join(process.env.VCDS_ANSWERS, `${process.pid}.ndjson`);
  appendFileSync(file, `${JSON.stringify({ test, method, url, status, headers, body })}\n`);
}
