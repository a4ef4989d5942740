import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTML, textPage } from './pages.js';

/** Folders of an address for which a browser gets a page if it is missing. */
const MAX_DEPTH = 4;

/** Whether the caller is a browser that shows what it gets, and not a program. */
export function expectsPage({ headers, url }: FastifyRequest): boolean {
  const type = negotiate(headers.accept ?? '', ['application/json', 'text/html']);
  return type === 'text/html' && depthOf(url) <= MAX_DEPTH;
}

const depthOf = (url: string): number => `${url.split('?')[0]}`.split('/').length - 2;

/** Sends a browser the page for an address that no page and no operation has. */
export function sendMissingPage(request: FastifyRequest, reply: FastifyReply, styles: string[]) {
  const root = '../'.repeat(depthOf(request.url)) || './';
  const html = textPage({
    root,
    styles,
    current: null,
    title: 'Page not found – teamspaces',
    body: `<h1>Page not found</h1>
<p>There is no page at this address. The <a href="${root}manual">manual</a> explains the service, and the
<a href="${root}reference">reference</a> lists every operation of its API.</p>`,
  });
  return reply.status(404).type(HTML).header('vary', 'accept').send(html);
}
