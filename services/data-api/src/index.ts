export { createDataApp, type DataAppOptions } from './app.ts';
export { type DataApiConfig, readDataApiConfig } from './config.ts';
export { endpoints } from './endpoints.ts';
export { type DataApiOptions, startDataApi } from './service.ts';
