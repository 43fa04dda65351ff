export { type AccessApiOptions, startAccessApi } from './app.ts';
export { type AccessConfig, readAccessConfig } from './config.ts';
