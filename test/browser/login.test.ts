import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import { CHROMIUM, DESKTOP, launch, screenshot } from '../support/browser.js';
import {
  AUDIENCE,
  type IdentityProvider,
  startIdentityProvider,
} from '../support/identity-provider.js';
import { describeWith } from '../support/programs.js';
import { openSwagger, tryOut } from '../support/swagger-ui.js';

describeWith('chromium', CHROMIUM)('the login of the identity provider in Swagger UI', () => {
  let provider: IdentityProvider;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    // A native client: any port of the loopback address will do.
    provider = await startIdentityProvider(['http://127.0.0.1/docs/oauth2-redirect.html']);
    service = await startService({
      AUTH_JWT_SECRET: '',
      AUTH_JWKS_URL: provider.jwksUrl,
      AUTH_ISSUER: provider.issuer,
      AUTH_AUDIENCE: AUDIENCE,
      DOCS_OIDC_CLIENT_ID: 'browser',
    });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await provider.stop();
  });

  test('gives a token that the service takes, by the code flow with PKCE', async () => {
    const context = await browser.newContext({ viewport: DESKTOP });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    await openSwagger(page, service.url);
    await page.locator('.btn.authorize').first().click();
    const login = page.locator('.auth-container', { hasText: 'authorizationCode' });
    await login.locator('.btn.authorize').waitFor();
    await screenshot(page, 'docs-login-desktop');
    const opened = page.waitForEvent('popup');
    await login.locator('.btn.authorize').click();
    const popup = await opened;
    await popup.locator('[name="login"]').fill('ada');
    await popup.locator('[name="password"]').fill('any');
    await popup.locator('[type="submit"]').click();
    const closed = popup.waitForEvent('close');
    await popup.locator('[type="submit"]').click();
    await closed;
    await login.getByText('Logout').waitFor();
    await page.locator('.modal-ux .btn-done').first().click();
    const me = await tryOut(page, 'me-getMe');
    expect([me.status, JSON.parse(me.body).email]).toEqual(['200', 'ada@example.com']);
    await context.close();
  }, 600_000);
});
