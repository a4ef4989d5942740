/**
 * The provider's own login in Swagger UI, by OpenID Connect with PKCE; null if it is not
 * configured.
 */
export function loginOf({ docsOidcClientId, issuer, audience }) {
    if (docsOidcClientId === null || issuer === null)
        return null;
    const discovery = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
    return { clientId: docsOidcClientId, discovery, audience };
}
//# sourceMappingURL=login.js.map