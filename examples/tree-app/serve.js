// Serves the page at http://localhost:8080, or at the port in PORT.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
const FILES = ['index.html', 'style.css', 'app.js', 'service.js', 'tree.js'];

const server = createServer(async ({ url }, response) => {
  const name = url === '/' ? 'index.html' : url.slice(1);
  if (!FILES.includes(name)) return response.writeHead(404).end();
  const text = await readFile(fileURLToPath(new URL(name, import.meta.url)));
  const type = `${TYPES[name.split('.').at(-1)]}; charset=utf-8`;
  response.writeHead(200, { 'content-type': type }).end(text);
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}`);
});
