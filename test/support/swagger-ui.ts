import type { Page } from 'playwright-core';

/** Opens Swagger UI and waits until the operations are there. */
export async function openSwagger(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/docs`);
  await page.locator('.opblock').first().waitFor();
}

/** Pastes a token, as a person does. */
export async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.btn.authorize').first().click();
  await page.locator('.modal-ux input').fill(token);
  await page.locator('.modal-ux .btn.authorize').click();
  await page.locator('.modal-ux .btn-done').click();
}

/** What the page shows of a response. */
export interface Shown {
  status: string;
  body: string;
}

interface Given {
  /** Parameters to fill in; the others stay as they are prefilled. */
  parameters?: Record<string, string>;
  /** The body; without one the prefilled example is sent. */
  body?: object;
}

/** Tries out an operation, and returns what the page shows of it. */
export async function tryOut(page: Page, operation: string, given: Given = {}): Promise<Shown> {
  const block = page.locator(`#operations-${operation}`);
  if (!(await block.locator('.opblock-body').isVisible())) {
    await block.locator('.opblock-summary-control').click();
  }
  const begin = block.locator('.try-out__btn:not(.cancel)');
  if (await begin.isVisible()) await begin.click();
  for (const [name, value] of Object.entries(given.parameters ?? {})) {
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  if (given.body) {
    await block.locator('textarea.body-param__text').fill(JSON.stringify(given.body));
  }
  // The response before this one must not be taken for it.
  const clear = block.locator('.btn-clear');
  if (await clear.isVisible()) await clear.click();
  const responded = page.waitForResponse(
    (response) => response.request().resourceType() === 'fetch',
  );
  await block.locator('.btn.execute').click();
  await responded;
  const shown = block.locator('.live-responses-table .response').first();
  const status = await shown.locator('.response-col_status').textContent();
  const body = await shown.locator('.response-col_description pre').first().textContent();
  return { status: `${status}`.trim().slice(0, 3), body: `${body}` };
}

/** The operation, with its response in view. */
export async function showResponse(page: Page, operation: string): Promise<void> {
  const block = page.locator(`#operations-${operation}`);
  await block.locator('.live-responses-table').scrollIntoViewIfNeeded();
}
