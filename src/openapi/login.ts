import type { Config } from '../config/config.js';
import type { PageSettings } from './docs-pages.js';

/**
 * The provider's own login in Swagger UI, by OpenID Connect with PKCE; null if it is not
 * configured.
 */
export function loginOf({ docsOidcClientId, issuer, audience }: Config): PageSettings['oidc'] {
  if (docsOidcClientId === null || issuer === null) return null;
  const discovery = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  return { clientId: docsOidcClientId, discovery, audience };
}
