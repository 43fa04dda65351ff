import { mkdirSync, writeFileSync } from 'node:fs';
import { assets } from './assets.ts';
import { PORTAL_FOLDER } from './index.ts';

mkdirSync(PORTAL_FOLDER, { recursive: true });
for (const [name, text] of assets()) writeFileSync(new URL(name, PORTAL_FOLDER), text);
