import { readFileSync } from 'node:fs';

/** package.json of the service; the same from src/ and from dist/. */
export function readPackage(): { version: string; repository?: { url: string } } {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
}
