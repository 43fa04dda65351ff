// Lets a thread run the TypeScript sources as Jest does: `node --import` this file.
import { register } from 'node:module';

register(new URL('typescript-hooks.mjs', import.meta.url));
