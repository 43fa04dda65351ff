export { type AccessConfig, readAccessConfig } from './config.ts';
export { type AccessApiOptions, startAccessApi } from './service.ts';
