// What the page of the reference runs; pages.ts puts the settings in. Nothing on it may ask a
// foreign host: no fonts, no telemetry, no proxy, no assistant.
const settings = JSON.parse(document.querySelector('meta[name="settings"]').content);
const atRoot = (path) => new URL(settings.root + path, window.location.href).href;

// Version 0.1.0 stored tokens there.
for (const name of Object.keys(localStorage)) {
  if (name.startsWith('scalar-reference-auth')) localStorage.removeItem(name);
}

const options = {
  url: atRoot('docs/openapi.json'),
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  // A token stays in the page's memory, as in Swagger UI.
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: {
    preferredSecurityScheme: 'token',
    ...(settings.token && { securitySchemes: { token: { token: settings.token } } }),
  },
};

if (window.Scalar) Scalar.createApiReference('#reference', options);
else {
  const { content } = document.querySelector('#not-loaded');
  document.querySelector('#reference').replaceChildren(content);
}
