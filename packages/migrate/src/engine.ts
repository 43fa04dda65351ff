import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine as Engine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';

export type { Engine };

// Node has this global, but its type belongs to the DOM library, which this project leaves out.
declare global {
  namespace WebAssembly {
    function instantiate(
      bytes: Uint8Array,
      imports: Record<string, object>,
    ): Promise<{ instance: { exports: Record<string, unknown> } }>;
  }
}

let loading: Promise<void> | undefined;

/**
 * Prisma's schema engine (WebAssembly, nothing downloaded) over one driver adapter.
 * The caller frees it. The 5 MB module is compiled once a process.
 */
export async function openEngine(adapter: PrismaPg): Promise<Engine> {
  loading ??= loadModule();
  await loading;
  const bound = bindMigrationAwareSqlAdapterFactory(adapter);
  return engineModule.SchemaEngine.new({ datamodels: undefined }, () => undefined, bound);
}

async function loadModule(): Promise<void> {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': withoutWaiting(engineModule),
  });
  engineModule.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') {
    throw new Error('The schema engine module has no start function: is its version pinned?');
  }
  start();
}

/**
 * The engine's imports with timers that do not keep the process alive: it arms a ten-second
 * one for the lock and never disarms it.
 */
function withoutWaiting(imports: object): Record<string, unknown> {
  const entries = Object.entries(imports).map(([name, value]) => {
    if (!name.startsWith('__wbg_setTimeout_') || typeof value !== 'function') return [name, value];
    return [name, (...args: unknown[]) => unref(value(...args))];
  });
  return Object.fromEntries(entries);
}

function unref(timer: unknown): unknown {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) {
    if (typeof timer.unref === 'function') timer.unref();
  }
  return timer;
}
