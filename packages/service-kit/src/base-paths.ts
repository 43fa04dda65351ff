/** The path of the data API below its public URL: {base_url} ends with it. */
export const DATA_BASE_PATH = '/v2';
/** The path of the access API below its public URL: {auth_url} ends with it. */
export const ACCESS_BASE_PATH = '/api/v1';
