// With `node --import` of this file, threads run the TypeScript sources as Jest does.
import { register } from 'node:module';

register(new URL('typescript-hooks.mjs', import.meta.url));
