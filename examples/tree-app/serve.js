// Serves the page, and the packages that it imports, at http://localhost:8080, or at the port in PORT.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { build } from '../../bin/build.js';

// A checkout holds the typed client as TypeScript only. Outside of it, npm installs the client, and this line goes.
await build();

/** The modules that index.html maps to `/modules/<package>/`: the folders in which npm has them. */
const PACKAGES = ['teamspaces-client', 'openapi-fetch'];
const folders = new Map([
  ['', new URL('.', import.meta.url)],
  ...PACKAGES.map((name) => [`modules/${name}/`, new URL('.', import.meta.resolve(name))]),
]);
/** What index.html has. */
const EXAMPLE_URL = 'http://localhost:3000';
const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  mjs: 'text/javascript; charset=utf-8',
};

/** The address in the form: TEAMSPACES_URL, otherwise that of the service that was started last in this checkout. */
async function serviceUrl() {
  const { TEAMSPACES_URL, DATA_DIR } = process.env;
  return TEAMSPACES_URL || readFile(`${DATA_DIR || '.data'}/url`, 'utf8').catch(() => EXAMPLE_URL);
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const [, folder, name] = /^\/(modules\/[^/]+\/)?(.*)$/.exec(pathname);
  // One name, no path: nothing outside of the folders is served.
  const [file, extension] = /^[\w-]+\.(\w+)$/.exec(name || 'index.html') ?? [];
  const base = folders.get(folder ?? '');
  try {
    if (!base || !TYPES[extension]) throw new Error('not found');
    const text = await readFile(new URL(file, base), 'utf8');
    const shown = extension === 'html' ? text.replace(EXAMPLE_URL, await serviceUrl()) : text;
    response.writeHead(200, { 'content-type': TYPES[extension] }).end(shown);
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}`);
});
