/** The MCP server of the Venture Capital Data Service. */
export { handleMcpRequest } from './http.ts';
export { CHARACTERS_MAX } from './page-size.ts';
export { createMcpServer } from './server.ts';
export { VERSION } from './version.ts';
