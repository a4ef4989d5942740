import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findFile } from './programs.js';

/** Where pictures of pages go; a build keeps them. */
const SCREENSHOTS = fileURLToPath(new URL('../../artifacts/screenshots/', import.meta.url));

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium of this machine (CHROMIUM names another one), or null. */
export const CHROMIUM = findFile('chromium', [process.env.CHROMIUM ?? '', ...CANDIDATES]);

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Starts the browser; it has no sandbox, since it opens nothing but our own pages, also as root. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });

/** What a page did that it should not. */
export interface Complaints {
  /** Errors and warnings on the console, and what was thrown and not caught. */
  errors: string[];
  /** Addresses on other hosts than the service's. */
  foreign: string[];
}

/** Collects what a page complains of, from now on. */
export function watch(page: Page, origin: string): Complaints {
  const complaints: Complaints = { errors: [], foreign: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.errors.push(message.text());
  });
  page.on('pageerror', (error) => complaints.errors.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) complaints.foreign.push(url);
  });
  return complaints;
}

/** Keeps a picture of what the page shows now. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png` });
}
