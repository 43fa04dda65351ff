import {
  auth,
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

interface Stored {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  discovery?: OAuthDiscoveryState;
  verifier?: string;
}

/** A program of a person with the OAuth client of the MCP SDK, which stores in memory. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  /** Where it has sent the browser of the person. */
  authorizationUrl: URL | undefined;
  readonly stored: Stored = {};

  constructor({ redirectUrl = 'http://127.0.0.1:33418/callback', documentUrl = '' } = {}) {
    this.redirectUrl = redirectUrl;
    if (documentUrl !== '') this.clientMetadataUrl = documentUrl;
    this.clientMetadata = {
      client_name: 'Test assistant',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    };
  }

  state = () => 'state-of-the-assistant';
  clientInformation = () => this.stored.client;
  saveClientInformation = (client: StoredOAuthClientInformation): void => {
    this.stored.client = client;
  };
  tokens = () => this.stored.tokens;
  saveTokens = (tokens: StoredOAuthTokens): void => {
    this.stored.tokens = tokens;
  };
  redirectToAuthorization = (url: URL): void => {
    this.authorizationUrl = url;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.stored.verifier = verifier;
  };
  saveDiscoveryState = (state: OAuthDiscoveryState): void => {
    this.stored.discovery = state;
  };
  discoveryState = () => this.stored.discovery;
  codeVerifier = () => this.stored.verifier ?? '';
  invalidateCredentials = (scope: string) => {
    if (scope === 'all' || scope === 'client') delete this.stored.client;
    if (scope === 'all' || scope === 'tokens') delete this.stored.tokens;
  };

  get accessToken(): string {
    return this.stored.tokens?.access_token ?? '';
  }
  get refreshToken(): string {
    return this.stored.tokens?.refresh_token ?? '';
  }

  transport(mcpUrl: string) {
    return new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: this });
  }

  /** Connects with the tokens that it has. */
  async connect(mcpUrl: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(this.transport(mcpUrl));
    return client;
  }

  /** One step of the flow: with a code, the tokens; else where the person is sent. */
  authorize(serverUrl: string, options: Partial<Parameters<typeof auth>[1]> = {}) {
    return auth(this, { serverUrl, ...options });
  }
}
