/** The path of the data API below its public URL: {base_url} ends with it. */
export const DATA_BASE_PATH = '/v2';
/** The path of the access API below its public URL: {auth_url} ends with it. */
export const ACCESS_BASE_PATH = '/api/v1';
/** The path of the MCP server, below the root of the data host. */
export const MCP_PATH = '/mcp';
