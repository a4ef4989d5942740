// What the page of Swagger UI runs; pages.ts puts the settings in.
const settings = JSON.parse(document.querySelector('meta[name="settings"]').content);
const atRoot = (path) => new URL(settings.root + path, window.location.href).href;

const SCHEME = 'token';

// Version 0.1.0 stored tokens here.
localStorage.removeItem('authorized');

/** Colouring a megabyte of JSON blocks the page for many seconds: past this size it stays plain. */
const MAX_HIGHLIGHTED = 50_000;

const plainWhenLarge = {
  wrapComponents: {
    SyntaxHighlighter: (Original, { React, getComponent }) => {
      const Plain = getComponent('PlainTextViewer', true);
      return (props) =>
        React.createElement(props.children?.length > MAX_HIGHLIGHTED ? Plain : Original, props);
    },
  },
};

/** The introduction is long: operations would be screens below it. */
const foldedIntroduction = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (document) => {
          const { info = {} } = document;
          const description = `<details>
<summary>Introduction</summary>

${info.description}

</details>`;
          return original({ ...document, info: { ...info, description } });
        },
      },
    },
  },
};

/** The tag of the operations that are another form of others: it is folded until somebody, or a link, opens it. */
const FOLDED_TAG = 'collections by path';

const foldedTag = {
  statePlugins: {
    layout: {
      wrapSelectors: {
        isShown: (original) => (_state, key, otherwise) => {
          const isFolded = key?.[0] === 'operations-tag' && key[1] === FOLDED_TAG;
          return original(key, isFolded ? false : otherwise);
        },
      },
    },
  },
};

/** Lets Authorize offer the provider's own login; the document itself knows bearer tokens only. */
const login = (scheme) => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original) => (document) => {
          const { components = {}, paths = {} } = document;
          const securitySchemes = { ...components.securitySchemes, login: scheme };
          const both = [{ [SCHEME]: [] }, { login: [] }];
          const open = (item) =>
            Object.fromEntries(
              Object.entries(item).map(([method, operation]) => [
                method,
                operation.security ? { ...operation, security: both } : operation,
              ]),
            );
          return original({
            ...document,
            components: { ...components, securitySchemes },
            paths: Object.fromEntries(
              Object.entries(paths).map(([path, item]) => [path, open(item)]),
            ),
          });
        },
      },
    },
  },
});

/** The code flow (with PKCE) of the provider, by OpenID Connect discovery; null while it is down. */
async function schemeOf({ discovery }) {
  try {
    const found = await (await fetch(discovery)).json();
    const flow = {
      authorizationUrl: found.authorization_endpoint,
      tokenUrl: found.token_endpoint,
      scopes: { openid: 'who you are', profile: 'your name', email: 'your email' },
    };
    return {
      type: 'oauth2',
      description: 'Sign in with your identity provider.',
      flows: { authorizationCode: flow },
    };
  } catch (error) {
    console.warn(`There is no login: ${discovery} does not respond.`, error);
    return null;
  }
}

/** Swagger UI has dark colours for this class. */
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyScheme);
applyScheme();

async function start({ oidc, token }) {
  const scheme = oidc && (await schemeOf(oidc));
  const ui = SwaggerUIBundle({
    url: atRoot('docs/openapi.json'),
    dom_id: '#swagger-ui',
    deepLinking: true,
    displayRequestDuration: true,
    // A token stays in the page's memory: what is stored here, any later script of this origin reads.
    persistAuthorization: false,
    // The badge asks a foreign host.
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [plainWhenLarge, foldedIntroduction, foldedTag, ...(scheme ? [login(scheme)] : [])],
    layout: 'BaseLayout',
    oauth2RedirectUrl: atRoot('docs/oauth2-redirect.html'),
    onComplete: () => token && ui.preauthorizeApiKey(SCHEME, token),
  });
  if (scheme) {
    ui.initOAuth({
      clientId: oidc.clientId,
      scopes: 'openid profile email',
      usePkceWithAuthorizationCodeGrant: true,
      additionalQueryStringParams: oidc.audience ? { audience: oidc.audience } : {},
    });
  }
  window.ui = ui;
}

if (window.SwaggerUIBundle) start(settings);
else {
  const { content } = document.querySelector('#not-loaded');
  document.querySelector('#swagger-ui').replaceChildren(content);
}
